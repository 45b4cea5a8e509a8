import { whenReleased } from './pressing.js'

const LOADS_WITHIN_MS = 10_000

/**
 * The card's fields in a frame of the provider, on another origin. What is typed there cannot be read from here: the
 * frame is asked for a token, and answers one or says that its fields need mending. See docs/checkout.md.
 */
export const createCardFrame = (box) => {
  const address = box.dataset.cardFields
  const { origin } = new URL(address)
  let frame
  let timer
  let isReady = false
  let answer

  const send = (type) => frame.contentWindow.postMessage({ type: `card-fields:${type}` }, origin)

  const showAway = () => {
    const told = document.createElement('p')
    box.dataset.ready = ''
    told.className = 'error'
    told.setAttribute('role', 'alert')
    told.textContent = `${box.dataset.away} `
    const retry = document.createElement('button')
    retry.type = 'button'
    retry.className = 'button'
    retry.textContent = box.dataset.retry
    retry.addEventListener('click', load)
    box.replaceChildren(told, retry)
  }

  const load = () => {
    isReady = false
    delete box.dataset.ready
    frame = document.createElement('iframe')
    frame.title = box.dataset.title
    frame.src = address
    frame.addEventListener('load', () => send('hello'))
    box.replaceChildren(frame)
    clearTimeout(timer)
    timer = setTimeout(showAway, LOADS_WITHIN_MS)
  }

  const on = {
    ready: () => {
      isReady = true
      box.dataset.ready = ''
      clearTimeout(timer)
    },
    height: ({ height }) => {
      whenReleased(() => {
        frame.style.height = `${Math.min(Number(height) || 0, 1_000)}px`
      })
    },
    token: ({ token }) => answer?.(String(token)),
    invalid: () => answer?.(undefined),
  }

  addEventListener('message', ({ origin: sender, source, data }) => {
    if (sender !== origin || source !== frame?.contentWindow) return
    const type = String(data?.type)
    if (type.startsWith('card-fields:')) on[type.slice('card-fields:'.length)]?.(data)
  })

  return {
    /** Loads the fields, once they are wanted. */
    show: () => {
      if (!frame) load()
    },
    isReady: () => isReady,
    /** The token of what was typed, or undefined where the fields show what to mend. */
    tokenize: () =>
      new Promise((resolve) => {
        answer = resolve
        send('tokenize')
      }),
  }
}
