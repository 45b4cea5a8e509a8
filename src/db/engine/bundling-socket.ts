import { Socket } from 'node:net'

/** Sends what is written in one turn of the event loop in one piece: each piece is a system call, and wakes the server. */
export class BundlingSocket extends Socket {
  #isHeld = false

  override cork(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    super.cork()
    process.nextTick(() => {
      this.#isHeld = false
      super.uncork()
    })
  }

  /** Whoever corks has no say in when the turn is over. */
  override uncork(): void {}
}
