-- Counts uses of a caller in a minute and in a day, in both windows or in neither. Windows begin with the first use.
-- KEYS[1]: the caller in a bucket. ARGV: uses of the minute, uses of the day, quota of the minute, quota of the day, and
-- "1" if the uses are already made: then they count without a check, and negative ones are given back.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local had = redis.call('HMGET', KEYS[1], 'm', 'mu', 'd', 'du')

local function window(start, used, length)
  start, used = tonumber(start), tonumber(used)
  if not start or not used or now >= start + length then
    return now, 0
  end
  -- A clock that was set back must not make a window longer.
  return math.min(start, now), used
end

local minute, in_minute = window(had[1], had[2], 60000)
local day, in_day = window(had[3], had[4], 86400000)
local after_minute, after_day = in_minute + ARGV[1], in_day + ARGV[2]
local granted = 0
if ARGV[5] == '1' or (after_minute <= tonumber(ARGV[3]) and after_day <= tonumber(ARGV[4])) then
  in_minute, in_day = math.max(after_minute, 0), math.max(after_day, 0)
  local text = function(number) return string.format('%.0f', number) end
  redis.call('HSET', KEYS[1], 'm', text(minute), 'mu', text(in_minute), 'd', text(day), 'du', text(in_day))
  redis.call('PEXPIRE', KEYS[1], text(day + 86400000 - now))
  granted = 1
end
return {granted, in_minute, minute + 60000 - now, in_day, day + 86400000 - now}
