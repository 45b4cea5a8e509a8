/** How long after a finger has left the click may come that it stands for. */
const CLICK_WITHIN_MS = 300

const waiting = []
let isPressing = false
let timer

const press = () => {
  clearTimeout(timer)
  isPressing = true
}

const release = () => {
  clearTimeout(timer)
  isPressing = false
  for (const work of waiting.splice(0)) work()
}

const releaseAfter = (ms) => {
  clearTimeout(timer)
  timer = setTimeout(release, ms)
}

/**
 * Notices presses. A field that is left by pressing a button tells its error before the press is over: the button would
 * move away from under the pointer, and the click be lost. Touching says that it is over before it begins to click.
 */
export const watchPresses = () => {
  for (const name of ['pointerdown', 'mousedown']) addEventListener(name, press, true)
  for (const name of ['pointerup', 'pointercancel']) {
    addEventListener(name, () => releaseAfter(CLICK_WITHIN_MS), true)
  }
  addEventListener('click', () => releaseAfter(0), true)
}

/** Does what moves the page at once, or once nobody presses anything on it. */
export const whenReleased = (work) => {
  if (isPressing) waiting.push(work)
  else work()
}
