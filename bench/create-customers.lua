-- POST /customers with a key of its own each, by sellers in turn. Arguments: file of tokens (one a line), run.
package.path = package.path .. ';' .. os.getenv('BENCH_SUPPORT') .. '/?.lua'
require('report')

local tokens, run, count, n = {}, '', 0, 0

function init(args)
  for line in io.lines(args[1]) do tokens[#tokens + 1] = line end
  run = args[2]
  count = #tokens
end

function request()
  n = n + 1
  local headers = {
    ['content-type'] = 'application/json',
    ['authorization'] = 'Bearer ' .. tokens[n % count + 1],
    ['idempotency-key'] = run .. '-' .. n,
  }
  local body = '{"name":"Francisco da Silva","email":"' .. run .. n .. '@example.com"}'
  return wrk.format('POST', '/api/v1/customers', headers, body)
end
