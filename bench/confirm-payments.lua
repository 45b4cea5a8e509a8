-- Callbacks of the sandbox acquirer, each once, then probes until the time is over. Argument: file of signature TAB body.
package.path = package.path .. ';' .. os.getenv('BENCH_SUPPORT') .. '/?.lua'
require('report')

-- Before the load begins the generator asks for one request only to look at it.
local signatures, bodies, n = {}, {}, -1

function init(args)
  for line in io.lines(args[1]) do
    local tab = string.find(line, '\t', 1, true)
    signatures[#signatures + 1] = string.sub(line, 1, tab - 1)
    bodies[#bodies + 1] = string.sub(line, tab + 1)
  end
end

function delay()
  if n >= #bodies then return 200 end
  return 0
end

function request()
  n = n + 1
  if n < 1 or n > #bodies then return wrk.format('GET', '/health/live') end
  local headers = { ['content-type'] = 'application/json', ['x-sandbox-signature'] = signatures[n] }
  return wrk.format('POST', '/callbacks/sandbox', headers, bodies[n])
end
