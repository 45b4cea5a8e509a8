// Lets the names of banks lead to the simulator, as a hosts file would, and to its port. The clients are not touched.
import https from 'node:https'

const { hosts, apiPort } = JSON.parse(process.env.INTEROP_SETUP)
const { createConnection } = https.Agent.prototype

https.Agent.prototype.createConnection = function connect(options, done) {
  const isBank = hosts.includes(options.host)
  const place = isBank ? { host: '127.0.0.1', port: apiPort, servername: options.host } : {}
  return createConnection.call(this, { ...options, ...place }, done)
}
