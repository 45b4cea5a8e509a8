/** Replaces what the page says by what another answer of this server says, and gives the new part. */
export const swapMain = (markup) => {
  const next = new DOMParser().parseFromString(markup, 'text/html')
  const main = next.getElementById('main')
  if (!main) return undefined
  document.title = next.title
  document.getElementById('main').replaceWith(main)
  return main
}
