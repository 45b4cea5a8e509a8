/** What people, providers and administrators wrote becomes one line: it cannot pass for a part of the mail, nor for a header. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()

type Fact = readonly [label: string, value: string]

/** The parts that a mail is made of. Each has one form in markup and one in plain text. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; facts: readonly Fact[] }
  | { kind: 'button'; label: string; url: string }

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text: oneLine(text) })

/** Names with their values, one a line. What is unknown is left out. */
export const facts = (...given: readonly (readonly [label: string, value: string | null])[]): Block => ({
  kind: 'facts',
  facts: given.flatMap(([label, value]) => (value === null ? [] : [[label, oneLine(value)] as const])),
})

/** Where to go. `url` is one that links.ts made. */
export const button = (label: string, url: string): Block => ({ kind: 'button', label, url })
