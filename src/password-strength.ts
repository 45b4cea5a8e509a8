import { passwordLists, passwordMatching } from './packages-on-demand.ts'

/** NIST SP 800-63B and OWASP ask that guessers be kept busy: what falls within 10^8 guesses does so in hours. */
const GUESSES_LOG10_MIN = 8
/** Judging takes longer the longer the text is, and what makes one weak shows itself early. */
const JUDGED_CHARACTERS = 32

// What guessers in Brazil try beside the lists, which are in English: in their order, as their rank counts.
const PORTUGUESE = [
  'senha mudar brasil brasileiro flamengo corinthians palmeiras saopaulo santos vasco gremio internacional cruzeiro',
  'atletico botafogo fluminense bahia futebol amor jesus deus familia minhavida princesa felicidade saudade bemvindo',
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro verao inverno segunda',
  'terca quarta quinta sexta sabado domingo empresa loja vendas financeiro pagamento administrador usuario teste',
].flatMap((line) => line.split(' '))

const WORDS = /[\p{Letter}\p{Number}]{3,}/gu

/** The words of what is known of a person, alone and together. */
const wordsOf = (known: readonly string[]): string[] =>
  known.flatMap((text) => {
    const words = text.toLowerCase().match(WORDS) ?? []
    // An address is also tried whole, and up to its @.
    return [
      ...words,
      text.toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, ''),
      ...text.toLowerCase().split(/[\s@]+/),
      text.toLowerCase(),
    ]
  })

const createJudge = () => {
  const { adjacencyGraphs: graphs, dictionary } = passwordLists()
  const { ZxcvbnFactory } = passwordMatching()
  return new ZxcvbnFactory({ dictionary, graphs })
}

let judge: ReturnType<typeof createJudge> | undefined

/**
 * Whether a password is among the first that guessers try: common ones, words with a year or a sign, letters for look-alike
 * signs, rows of keys, dates, and what comes of what is known of the person, like names, address and company.
 */
export const isGuessable = (password: string, known: readonly string[] = []): boolean => {
  judge ??= createJudge()
  const { guessesLog10 } = judge.check(password.slice(0, JUDGED_CHARACTERS), [...wordsOf(known), ...PORTUGUESE])
  return guessesLog10 < GUESSES_LOG10_MIN
}
