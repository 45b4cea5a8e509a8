// The fields of a card in the page of a shop. The card is typed into a frame of the provider, which this script cannot read.
{
  const ADDRESSES = __CARD_FIELDS_ADDRESSES__
  const LOADS_WITHIN_MS = 15_000
  const HEIGHT_MAX_PX = 1_000
  const TITLES = { pt: 'Dados do cartão', en: 'Card details' }

  class PaymentFieldsError extends Error {
    constructor(code, message) {
      super(message)
      this.name = 'PaymentFieldsError'
      /** `invalid`: the fields show what to mend. `unavailable`: they did not load. `unmounted`: they were taken away. */
      this.code = code
    }
  }

  const boxOf = (place) => {
    const box = typeof place === 'string' ? document.querySelector(place) : place
    if (box instanceof Element) return box
    throw new TypeError(`PaymentFields.mount: no element is ${place}`)
  }

  const languageOf = (locale) => (String(locale).toLowerCase().startsWith('en') ? 'en' : 'pt')

  const frameAt = (address, title) => {
    const frame = document.createElement('iframe')
    frame.title = title
    frame.src = address
    // Set one by one, which no policy of the shop's styles forbids.
    Object.assign(frame.style, { display: 'block', width: '100%', height: '13rem', border: '0' })
    return frame
  }

  /** A promise and the means to end it. Whoever does not wait for it need not catch it. */
  const outcome = () => {
    const made = {}
    made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
    made.promise.catch(() => undefined)
    return made
  }

  /**
   * Shows the fields in an element. `locale`: `pt-BR` or `en`, else the page's own. `theme`: `{ dark, fontFamily, surface, text,
   * muted, edge, accent, bad }`, colours as `#rrggbb`.
   */
  const mount = (place, { locale = document.documentElement.lang, theme = {} } = {}) => {
    const box = boxOf(place)
    const language = languageOf(locale)
    const { origin } = new URL(ADDRESSES[language])
    const frame = frameAt(ADDRESSES[language], TITLES[language])
    const ready = outcome()
    let asked
    let over

    const send = (message) => frame.contentWindow?.postMessage(message, origin)
    const give = (end, value) => {
      asked?.[end](value)
      asked = undefined
    }
    const end = (code, message) => {
      clearTimeout(timer)
      over = new PaymentFieldsError(code, message)
      ready.reject(over)
      give('reject', over)
    }
    const timer = setTimeout(() => end('unavailable', 'The fields of the card did not load.'), LOADS_WITHIN_MS)

    const on = {
      ready: () => {
        clearTimeout(timer)
        ready.resolve()
      },
      height: ({ height }) => {
        frame.style.height = `${Math.min(Number(height) || 0, HEIGHT_MAX_PX)}px`
      },
      token: ({ token, brand, last4, expMonth, expYear }) =>
        give('resolve', { cardToken: token, brand, last4, expMonth, expYear }),
      invalid: () => give('reject', new PaymentFieldsError('invalid', 'The fields show the payer what to mend.')),
    }

    // From this frame on its own origin alone: any page and any frame in it may send messages.
    const hear = ({ source, origin: sender, data }) => {
      if (source !== frame.contentWindow || sender !== origin) return
      const [, type] = /^card-fields:(ready|height|token|invalid)$/.exec(data?.type) ?? []
      if (type) on[type](data)
    }

    addEventListener('message', hear)
    frame.addEventListener('load', () => send({ type: 'card-fields:hello', theme }))
    box.replaceChildren(frame)

    return {
      /** Fulfilled once the fields can be used. */
      ready: ready.promise,

      /** The token of what was typed, and what may be known of the card. A press while another one is answered is the same one. */
      async tokenize() {
        await ready.promise
        if (over) throw over
        if (asked === undefined) {
          asked = outcome()
          send({ type: 'card-fields:tokenize' })
        }
        return asked.promise
      },

      /** Takes the fields away. */
      unmount() {
        removeEventListener('message', hear)
        end('unmounted', 'The fields were taken away.')
        frame.remove()
      },
    }
  }

  globalThis.PaymentFields = Object.freeze({ mount })
}
