import { watchStatements } from './fault-points.ts'

/** Preloaded into a server's process by `node --import`: it dies, as if somebody pulled the plug, where its parent says. */
const points = watchStatements(() => true, {
  isDead: () => false,
  die: () => process.kill(process.pid, 'SIGKILL'),
})

process.on('message', (at: number) => {
  const seen = points.disarm()
  if (at > 0) points.arm(at)
  process.send?.(seen)
})
// The parent's line must not keep a server running that was told to stop.
process.channel?.unref()
