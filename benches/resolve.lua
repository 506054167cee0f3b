-- Points spread over the contiguous states, for wrk. Each thread has its own sequence; the seed is fixed.
local threads = 0
function setup(thread)
  thread:set("seed", threads)
  threads = threads + 1
end
local paths, at = {}, 0
function init()
  math.randomseed(4711 + seed)
  for i = 1, 10000 do
    local lat, lon = 32 + 14 * math.random(), -118 + 40 * math.random()
    paths[i] = wrk.format("GET", string.format("/v1/jurisdictions/resolve?lat=%.6f&lon=%.6f", lat, lon))
  end
end
function request()
  at = at % #paths + 1
  return paths[at]
end
