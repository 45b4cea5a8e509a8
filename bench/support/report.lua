-- What every load script prints at its end, for support/wrk.ts.
function done(summary, latency, requests)
  local errors = summary.errors
  local failures = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format('RESULT {"perSecond":%.1f,"requests":%d,"p50":%.3f,"p99":%.3f,"failures":%d}\n',
    summary.requests / (summary.duration / 1e6), summary.requests,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failures))
end
