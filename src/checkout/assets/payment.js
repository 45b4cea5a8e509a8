import { forgetValues } from './kept-values.js'
import { swapMain } from './swap.js'

const POLL_EVERY_MS = 5_000
const LEAVE_AFTER_MS = 6_000
const SECOND_MS = 1_000
const HOUR_SECONDS = 3_600

const two = (value) => String(Math.floor(value)).padStart(2, '0')

const remaining = (seconds) =>
  seconds >= HOUR_SECONDS
    ? `${Math.floor(seconds / HOUR_SECONDS)} h ${two((seconds % HOUR_SECONDS) / 60)} min`
    : `${two(seconds / 60)}:${two(seconds % 60)}`

const countDown = (main, onEnd) => {
  const timer = main.querySelector('[data-countdown]')
  if (!timer) return
  // The server says how long it is: the clock of the payer's device may be wrong.
  const endsAtMs = performance.now() + Number(timer.dataset.countdown) * SECOND_MS
  const tick = setInterval(() => {
    const seconds = Math.max(0, Math.ceil((endsAtMs - performance.now()) / SECOND_MS))
    timer.textContent = remaining(seconds)
    if (seconds > 0 && timer.isConnected) return
    clearInterval(tick)
    if (timer.isConnected) onEnd()
  }, SECOND_MS)
}

/** Follows an open payment until it ends: told by the server, and asking it where that does not work. */
const watch = (main, setUp) => {
  const { payment, status, reason } = main.dataset
  const isNews = (said) => said.status !== status || (said.statusReason ?? '') !== reason
  const away = main.querySelector('.reconnecting')
  let events
  let timer

  const stop = () => {
    events?.close()
    clearInterval(timer)
    removeEventListener('online', resume)
    document.removeEventListener('visibilitychange', resume)
  }

  const refresh = async () => {
    const response = await fetch(location.href, { headers: { accept: 'text/html' } })
    if (!response.ok || !main.isConnected) return
    stop()
    const next = swapMain(await response.text())
    if (!next) return
    setUp(next)
    next.focus()
  }

  const showAway = (isAway) => {
    away.textContent = isAway ? away.dataset.text : ''
    away.hidden = !isAway
  }

  const look = async () => {
    try {
      const response = await fetch(payment, { headers: { accept: 'application/json' } })
      showAway(false)
      if (response.ok && isNews(await response.json())) await refresh()
    } catch {
      showAway(true)
    }
  }

  const listen = () => {
    events?.close()
    events = new EventSource(`${payment}/events`)
    events.addEventListener('open', () => showAway(false))
    events.addEventListener('payment', ({ data }) => {
      if (isNews(JSON.parse(data))) refresh().catch(() => showAway(true))
    })
  }

  // A phone that comes back from the bank's app has slept: whatever was said meanwhile was missed.
  function resume() {
    if (document.visibilityState === 'hidden') return
    if (events.readyState === EventSource.CLOSED) listen()
    void look()
  }

  listen()
  timer = setInterval(() => {
    if (events.readyState !== EventSource.OPEN) void look()
  }, POLL_EVERY_MS)
  addEventListener('online', resume)
  document.addEventListener('visibilitychange', resume)
  countDown(main, look)
}

const copyText = async (text, source) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    source.focus()
    source.select()
    return false
  }
}

const setUpCopying = (main) => {
  for (const button of main.querySelectorAll('[data-copy]')) {
    const told = button.parentElement.querySelector('.copy-told')
    button.addEventListener('click', async () => {
      const { copy, from, copied, failed } = button.dataset
      told.textContent = ''
      told.textContent = (await copyText(copy, document.getElementById(from))) ? copied : failed
    })
  }
}

const setUpLeaving = (main) => {
  const told = main.querySelector('[data-leave]')
  if (!told) return
  const timer = setTimeout(() => main.querySelector('[data-back]').click(), LEAVE_AFTER_MS)
  told.querySelector('[data-stay]').addEventListener('click', () => {
    clearTimeout(timer)
    told.remove()
  })
}

// Whoever waits longer than usual is told what is going on.
const setUpLateness = (main) => {
  const late = main.querySelector('[data-late-in]')
  if (!late?.hidden) return
  setTimeout(() => {
    late.hidden = false
    main.querySelector('[data-until-late]').hidden = true
  }, Number(late.dataset.lateIn))
}

/** Brings the page of a payment to life. */
export const setUpPayment = (main, setUp) => {
  if (main.dataset.open === 'yes') watch(main, setUp)
  if (main.dataset.status === 'paid') forgetValues()
  setUpLateness(main)
  setUpCopying(main)
  setUpLeaving(main)
}
