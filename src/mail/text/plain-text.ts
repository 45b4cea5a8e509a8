import type { Block } from './blocks.ts'
import type { Frame } from './frame.ts'
import type { Letter } from './template.ts'

const written = (block: Block): string => {
  if (block.kind === 'paragraph') return block.text
  if (block.kind === 'button') return `${block.label}:\n${block.url}`
  return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
}

/** A mail for who reads no markup. Lines are not broken, so that every screen breaks them where it ends. */
export const plainText = ({ body }: Letter, { brand, greeting, footer }: Frame): string => {
  const head = greeting === undefined ? [] : [greeting]
  return `${[...head, ...body.map(written).filter((text) => text !== ''), `-- \n${brand}`, ...footer].join('\n\n')}\n`
}
