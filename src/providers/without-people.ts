/**
 * Members of callbacks that tell of people, in the words of the Central Bank's API, of Pix providers and of acquirers. What
 * matters to us are ids, amounts and states; who paid is asked of the provider, or was told by the seller.
 */
const OF_PEOPLE = [
  ...['pagador', 'infoPagador', 'devedor', 'favorecido', 'recebedor', 'nome', 'cpf'],
  ...['payer', 'debtor', 'customer', 'cardholder', 'name', 'email'],
]
const NAMED = new RegExp(`"(${OF_PEOPLE.join('|')})"`, 'i')
const isOfPeople = new RegExp(`^(${OF_PEOPLE.join('|')})$`, 'i')

/**
 * The text of a callback without the members that name somebody. The same text where there are none, or where it is no
 * JSON. Its hash stays that of what came in.
 */
export const withoutPeople = (body: string): string => {
  // Most name nobody: a look at the text spares reading it.
  if (!NAMED.test(body)) return body
  try {
    return JSON.stringify(JSON.parse(body, (name, value: unknown) => (isOfPeople.test(name) ? undefined : value)))
  } catch {
    return body
  }
}
