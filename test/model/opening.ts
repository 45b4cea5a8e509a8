import { randomBytes } from 'node:crypto'
import type { Random } from '../../scripts/seed/random.ts'
import { companyBody, documentForm } from '../support/company.ts'
import { type Fee, type Method, newSeller, type World } from './book.ts'
import { type Account, type Client, createClient } from './client.ts'
import { COSTS } from './payments.ts'
import type { Platform } from './platform.ts'
import { ADMIN } from './platform.ts'
import { expectReply, type Shop } from './shop.ts'

export const SHOP_PASSWORD = 'dois cafés e um pão na chapa'

type Row = Record<string, unknown>

/** The fees that a platform begins with, as an administrator reads them. */
const readFees = async (client: Client, admin: Account): Promise<Fee[]> => {
  const { body } = await client.get('admin/fees?perPage=100&isActive=true', { as: admin })
  return (body.data as Row[]).map((fee) => ({
    id: String(fee.id),
    method: fee.method as Method,
    from: Number(fee.installmentsFrom),
    to: Number(fee.installmentsTo),
    bps: Math.round(Number(fee.percentage) * 100),
    fixedAmount: Number(fee.fixedAmount),
    minAmount: fee.minAmount as number | null,
    maxAmount: fee.maxAmount as number | null,
    settlementDays: Number(fee.settlementDays),
    used: false,
  }))
}

const firstId = async (client: Client, path: string, as: Account): Promise<string> =>
  (await client.get(path, { as })).body.data[0].id

/** A seller who registers, submits a company and is approved. */
export const openShop = async (
  { client, platform, admin, world }: { client: Client; platform: Platform; admin: Account; world: World },
  number: number,
  random: Random,
): Promise<Shop> => {
  const email = `seller-${randomBytes(6).toString('hex')}@example.com`
  const registration = { email, password: SHOP_PASSWORD, name: 'Maria da Silva', companyName: 'Padaria da Maria' }
  const registered = await client.post('auth/register', { body: registration })
  expectReply('register', registered, { status: 201 })
  const account = { email, password: SHOP_PASSWORD, token: registered.body.tokens.accessToken }
  const company = await client.post('companies', { as: account, body: companyBody() })
  expectReply('company', company, { status: 201 })
  const companyId = company.body.id
  const sent = await client.post(`companies/${companyId}/documents`, { as: account, form: documentForm() })
  expectReply('document', sent, { status: 201 })
  expectReply('approve', await client.post(`admin/enterprises/${companyId}/approve`, { as: admin }), { status: 200 })
  const seller = newSeller(registered.body.user.id)
  world.sellers.push(seller)
  return {
    number,
    seller,
    account,
    admin,
    companyId,
    foreignIds: [],
    reserveConfigId: await firstId(client, `admin/reserve-configs?sellerId=${seller.id}`, admin),
    withdrawalConfigId: await firstId(client, `admin/withdrawal-configs?sellerId=${seller.id}`, admin),
    random,
    world,
    client,
    platform,
    named: [],
    trace: [],
  }
}

/** A client of a platform, logged in as its administrator, and the world as it is before anybody sells. */
export const openWorld = async (platform: Platform, encryptionKey: string, nowMs: number) => {
  const client = createClient({ url: platform.url, encryptionKey, onBroken: platform.mortal?.revive })
  const admin: Account = { ...ADMIN, token: '' }
  await client.login(admin)
  const costs = Object.entries(COSTS).map(([method, { bps, fixedAmount }]) => {
    const installmentsTo = method === 'credit_card' ? 12 : 1
    return { provider: 'sandbox', method, installmentsFrom: 1, installmentsTo, percentage: bps / 100, fixedAmount }
  })
  expectReply('costs', await client.put('admin/provider-costs', { as: admin, body: { costs } }), { status: 200 })
  // Every payer of the story sits at one address and pays with the same few cards: nobody is kept waiting for that here.
  const { body } = await client.get('admin/velocity-rules', { as: admin })
  const rules = (body.rules as Row[]).map((rule) => ({ ...rule, isActive: false }))
  expectReply('velocity', await client.put('admin/velocity-rules', { as: admin, body: { rules } }), { status: 200 })
  const disputeFees = { med: 0, chargeback: 0 }
  const fees = await readFees(client, admin)
  const own = { clearing: 0, losses: 0, provider_cost: 0, withdrawing: 0, treasury: 0 }
  const world: World = {
    nowMs,
    fees,
    disputeFees,
    holidays: new Map(),
    own,
    ownMovements: [],
    waitingAtBank: 0,
    sellers: [],
  }
  return { client, admin, world, platform }
}
