import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { companyBody } from '../../src/areas/companies/companies.schemas.ts'
import { customerBody } from '../../src/areas/customers/customers.schemas.ts'
import { NEWEST_FIRST } from '../../src/db/page.ts'
import type { ReceiveUpload } from '../../src/storage/uploads.ts'
import { type Demo, type DemoSeller, personOf } from './demo-platform.ts'
import { madeUpPayer } from './payers.ts'
import { createRandom, type Random } from './random.ts'
import type { Shop } from './shops.ts'
import { madeUpCnpj, madeUpCpf } from './tax-ids.ts'

/** Everybody's password: the demo refuses to run where this would matter. */
export const DEMO_PASSWORD = 'pão de queijo quentinho'

const CUSTOMERS_PER_SHOP = 8

export const emailOf = ({ slug }: Shop): string => `${slug}@example.com`

const companyOf = (shop: Shop, random: Random) => {
  const { name, owner, sells, city, state, areaCode, ticket, salesPerDay } = shop
  const email = emailOf(shop)
  const averageTicket = (ticket[0] + ticket[1]) / 200
  return companyBody.parse({
    commercialName: name,
    invoiceName: name.toUpperCase(),
    averageRevenue: Math.round(averageTicket * Math.max(1, salesPerDay) * 30),
    averageTicket,
    productsServices: sells,
    website: `https://${shop.slug}.example.com`,
    contactEmail: email,
    contactPhone: `${areaCode}9${random.between(10_000_000, 99_999_999)}`,
    sellsPhysicalProducts: !sells.startsWith('Cursos'),
    cnpj: madeUpCnpj(random),
    companyName: `${name} Ltda`,
    tradeName: name,
    phone: `${areaCode}3${random.between(1_000_000, 9_999_999)}`,
    email,
    addressZipCode: String(random.between(10_000_000, 99_999_999)),
    addressStreet: 'Rua das Flores',
    addressNumber: String(random.between(1, 2_000)),
    addressNeighborhood: 'Centro',
    addressCity: city,
    addressState: state,
    legalRepName: owner,
    legalRepCpf: madeUpCpf(random),
    legalRepRole: 'Sócio administrador',
    legalRepStartDate: '2020-03-02',
    legalRepPhone: `${areaCode}9${random.between(10_000_000, 99_999_999)}`,
    legalRepEmail: email,
    draft: shop.fate === 'draft',
  })
}

const DOCUMENT = Buffer.from('%PDF-1.4\n% a document of the demo\n%%EOF\n')

// As if it had come with a form: the file lies in a folder until the service has taken it.
const receiveDocument: ReceiveUpload = async (work) => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'))
  try {
    const path = join(folder, 'document')
    await writeFile(path, DOCUMENT)
    const sha256 = createHash('sha256').update(DOCUMENT).digest('hex')
    const file = { field: 'file', fileName: 'cartao-cnpj.pdf', path, sizeBytes: DOCUMENT.length, sha256 }
    return await work({ texts: [{ field: 'type', value: 'cnpj_card' }], files: [file] })
  } finally {
    await rm(folder, { recursive: true })
  }
}

const NOWHERE = { ipAddress: '127.0.0.1', userAgent: null, network: '127.0.0.1' }

const register = async ({ services }: Demo, shop: Shop, random: Random) => {
  const person = { email: emailOf(shop), password: DEMO_PASSWORD, name: shop.owner, companyName: shop.name }
  // Nobody is handed these tokens: whoever looks at the demo logs in.
  const { user } = await services.authentication.register(person, NOWHERE, () => '')
  // Nobody reads the mails of the demo.
  await services.transact((tx) =>
    tx.users.update(user.id, { emailVerifiedAt: services.clock.now() }, services.clock.now()),
  )
  const actor = personOf(user.id, 'seller')
  const company = await services.companies.create(actor, companyOf(shop, random), undefined)
  await services.companyDocuments.add(actor, company.id, receiveDocument, undefined)
  return { actor, companyId: company.id }
}

const addCustomers = async ({ services }: Demo, { actor }: Pick<DemoSeller, 'actor'>, random: Random) => {
  const ids: string[] = []
  for (let index = 0; index < CUSTOMERS_PER_SHOP; index += 1) {
    const body = customerBody.parse({ ...madeUpPayer(random), document: madeUpCpf(random) })
    ids.push((await services.customers.create(actor, body, undefined)).id)
  }
  return ids
}

const agreeTerms = async ({ services, admin }: Demo, { actor, shop }: DemoSeller): Promise<void> => {
  const only = { sellerId: actor.userId, page: { page: 1, perPage: 1, sort: NEWEST_FIRST } }
  const reserves = await services.reserves.listConfigs(only)
  for (const { id } of shop.reserve === undefined ? [] : reserves.data) {
    const { percentage, days } = shop.reserve ?? { percentage: 0, days: 30 }
    const terms = { reservePercentage: percentage, reserveDays: days, isActive: true }
    await services.reserves.updateConfig(admin, id, terms)
  }
  const withdrawals = await services.withdrawalConfigs.list(only)
  for (const { id } of withdrawals.data) {
    await services.withdrawalConfigs.update(admin, id, {
      minAmount: 1_000,
      maxAmount: 5_000_000,
      dailyLimitAmount: 10_000_000,
      feePercentage: 0,
      feeFixedAmount: 0,
      autoApproveMaxAmount: shop.autoApproveMaxAmount,
      isActive: true,
    })
  }
}

const review = async ({ services, admin }: Demo, { shop, companyId }: DemoSeller): Promise<void> => {
  const { companyReviews } = services
  if (shop.fate === 'approved' || shop.fate === 'suspended') await companyReviews.approve(admin, companyId)
  if (shop.fate === 'rejected') await companyReviews.reject(admin, companyId, 'Apostas não são aceitas na plataforma.')
  if (shop.fate === 'changes_requested') {
    await companyReviews.requestChanges(admin, companyId, 'O cartão CNPJ está ilegível. Envie outro, por favor.')
  }
}

/** A seller registers, submits a company and gets the answer that the story has for it. */
export const openShop = async (demo: Demo, shop: Shop): Promise<DemoSeller> => {
  const random = createRandom(`shop ${shop.slug}`)
  const seller: DemoSeller = { shop, ...(await register(demo, shop, random)), customerIds: [] }
  await review(demo, seller)
  if (shop.salesPerDay === 0) return seller
  await agreeTerms(demo, seller)
  return { ...seller, customerIds: await addCustomers(demo, seller, random) }
}
