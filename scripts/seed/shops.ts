/** What becomes of a seller's company. `suspended`: it sells for two months first. */
export type Fate = 'approved' | 'suspended' | 'awaiting_approval' | 'changes_requested' | 'rejected' | 'draft'

/** A seller of the demo. Amounts in centavos, percentages in percent. */
export type Shop = {
  slug: string
  owner: string
  name: string
  sells: string
  city: string
  state: string
  areaCode: string
  fate: Fate
  /** Smallest and largest sale. */
  ticket: readonly [number, number]
  /** Sales on an average day. */
  salesPerDay: number
  /** What is held back of each payment; absent: nothing. */
  reserve?: { percentage: number; days: number }
  /** Up to this amount nobody is asked before a payout. */
  autoApproveMaxAmount: number
}

type Row = readonly [
  slug: string,
  owner: string,
  name: string,
  sells: string,
  city: string,
  state: string,
  area: string,
]

const selling = (row: Row, rest: Omit<Shop, 'slug' | 'owner' | 'name' | 'sells' | 'city' | 'state' | 'areaCode'>) => {
  const [slug, owner, name, sells, city, state, areaCode] = row
  return { slug, owner, name, sells, city, state, areaCode, ...rest }
}

const waiting = (row: Row, fate: Fate): Shop =>
  selling(row, { fate, ticket: [1_000, 10_000], salesPerDay: 0, autoApproveMaxAmount: 0 })

export const SHOPS: readonly Shop[] = [
  selling(['padaria', 'Maria Souza', 'Padaria da Maria', 'Pães, bolos e cafés', 'São Paulo', 'SP', '11'], {
    fate: 'approved',
    ticket: [800, 9_000],
    salesPerDay: 3,
    autoApproveMaxAmount: 0,
  }),
  selling(['livraria', 'João Pereira', 'Livraria do Porto', 'Livros novos e usados', 'Rio de Janeiro', 'RJ', '21'], {
    fate: 'approved',
    ticket: [2_500, 28_000],
    salesPerDay: 2,
    reserve: { percentage: 5, days: 30 },
    autoApproveMaxAmount: 50_000,
  }),
  selling(['academia', 'Ana Ribeiro', 'Academia Vida Ativa', 'Planos de academia', 'Belo Horizonte', 'MG', '31'], {
    fate: 'approved',
    ticket: [8_990, 119_900],
    salesPerDay: 1,
    reserve: { percentage: 10, days: 30 },
    autoApproveMaxAmount: 100_000,
  }),
  selling(['eletronicos', 'Carlos Almeida', 'Almeida Eletrônicos', 'Celulares e acessórios', 'Curitiba', 'PR', '41'], {
    fate: 'approved',
    ticket: [9_900, 349_900],
    salesPerDay: 1,
    reserve: { percentage: 15, days: 60 },
    autoApproveMaxAmount: 0,
  }),
  selling(['floricultura', 'Beatriz Lima', 'Flores da Serra', 'Flores e arranjos', 'Porto Alegre', 'RS', '51'], {
    fate: 'approved',
    ticket: [4_500, 38_000],
    salesPerDay: 1,
    autoApproveMaxAmount: 30_000,
  }),
  selling(['cursos', 'Rafael Costa', 'Cursos Aprender', 'Cursos pela internet', 'Recife', 'PE', '81'], {
    fate: 'approved',
    ticket: [19_700, 149_700],
    salesPerDay: 1,
    reserve: { percentage: 20, days: 90 },
    autoApproveMaxAmount: 0,
  }),
  selling(['importados', 'Paulo Mendes', 'Mendes Importados', 'Perfumes importados', 'Manaus', 'AM', '92'], {
    fate: 'suspended',
    ticket: [15_000, 90_000],
    salesPerDay: 1,
    reserve: { percentage: 10, days: 45 },
    autoApproveMaxAmount: 0,
  }),
  waiting(
    ['marcenaria', 'Luiza Barros', 'Marcenaria Barros', 'Móveis sob medida', 'Florianópolis', 'SC', '48'],
    'awaiting_approval',
  ),
  waiting(
    ['petshop', 'Diego Martins', 'Pet Shop Amigo', 'Rações e banho', 'Salvador', 'BA', '71'],
    'awaiting_approval',
  ),
  waiting(
    ['artesanato', 'Teresa Nunes', 'Artesanato Nordeste', 'Rendas e cerâmica', 'Fortaleza', 'CE', '85'],
    'changes_requested',
  ),
  waiting(['apostas', 'Marcos Vieira', 'Palpites da Sorte', 'Palpites esportivos', 'Goiânia', 'GO', '62'], 'rejected'),
  waiting(['doceria', 'Helena Rocha', 'Doceria Rocha', 'Doces finos', 'Vitória', 'ES', '27'], 'draft'),
]
