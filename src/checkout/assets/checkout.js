import { watchConnection } from './connection.js'
import { setUpForm } from './form.js'
import { setUpPayment } from './payment.js'
import { watchPresses } from './pressing.js'

const setUp = (main) => {
  const form = main.querySelector('[data-form]')
  if (form) setUpForm(form, setUp)
  if (main.dataset.payment) setUpPayment(main, setUp)
  for (const button of main.querySelectorAll('[data-print]')) button.addEventListener('click', () => print())
}

setUp(document.getElementById('main'))
watchPresses()
watchConnection(document.querySelector('.away'))

// A page that the back button brings from memory does not know what happened since.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
