-- Asks for the paths of the file PATHS, one after the other.
local paths = {}
for line in io.lines(os.getenv("PATHS")) do
    paths[#paths + 1] = line
end
local at = 0

function request()
    at = at % #paths + 1
    return wrk.format("GET", paths[at])
end
