/** Says at the foot of the page that the browser is offline, for as long as it is. */
export const watchConnection = (told) => {
  const show = () => {
    told.textContent = navigator.onLine ? '' : told.dataset.away
  }
  addEventListener('online', show)
  addEventListener('offline', show)
  show()
}
