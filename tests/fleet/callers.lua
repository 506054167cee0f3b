-- A new caller for each request, as a trusted proxy names it, with a pause between requests, for wrk.
-- Arguments: the number of the first caller, and milliseconds of pause.
local caller, pause = 0, 2
function init(args)
  caller, pause = tonumber(args[1]), tonumber(args[2])
end
function request()
  caller = caller + 1
  local address = string.format("10.%d.%d.%d", caller / 65536 % 256, caller / 256 % 256, caller % 256)
  return wrk.format("GET", "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655", { ["X-Forwarded-For"] = address })
end
function delay()
  return pause
end
