-- GET of one path by sellers in turn. Arguments: file of tokens, path or file of paths (one for each token).
package.path = package.path .. ';' .. os.getenv('BENCH_SUPPORT') .. '/?.lua'
require('report')

local tokens, paths, n = {}, {}, 0

function init(args)
  for line in io.lines(args[1]) do tokens[#tokens + 1] = line end
  if string.sub(args[2], 1, 5) == 'file:' then
    for line in io.lines(string.sub(args[2], 6)) do paths[#paths + 1] = line end
  else
    paths[1] = args[2]
  end
end

function request()
  n = n + 1
  local token = tokens[(n - 1) % #tokens + 1]
  return wrk.format('GET', paths[(n - 1) % #paths + 1], { ['authorization'] = 'Bearer ' .. token })
end
