// A merchant's day with sdk-node-apis-efi, Efí's library for Node: charge, pay, list, refund, webhook, payout, infraction, report.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const setup = JSON.parse(process.env.INTEROP_SETUP)
const EfiPay = createRequire(join(setup.toolbox, 'package.json'))('sdk-node-apis-efi')

const { environment } = setup
const chave = environment.PIX_KEY
const efi = new EfiPay({
  sandbox: false,
  client_id: environment.PIX_CLIENT_ID,
  client_secret: environment.PIX_CLIENT_SECRET,
  certificate: setup.pkcs12,
})

const control = async (method, path, body) => {
  const options =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${setup.controlUrl}/control${path}`, { method, ...options })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return response.status === 204 ? undefined : response.json()
}

const until = async (what, check) => {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (await check()) return
    await wait(25)
  }
  assert.fail(`never happened: ${what}`)
}

const told = async () =>
  (await control('GET', '/callbacks')).callbacks.filter(({ state }) => state === 'delivered').length
const instant = (days) => new Date(Date.now() + days * 86_400_000).toISOString()
const period = { inicio: instant(-1), fim: instant(1) }
const charge = { calendario: { expiracao: 3600 }, valor: { original: '37.00' }, chave }

// Webhook
await efi.pixConfigWebhook({ chave }, { webhookUrl: setup.webhookUrl })
assert.equal((await efi.pixDetailWebhook({ chave })).webhookUrl, setup.webhookUrl)
assert.equal((await efi.pixListWebhook(period)).webhooks.length, 1)

// Charge; a payer's bank reads its code; it is revised, paid and listed
const txid = randomUUID().replaceAll('-', '')
const created = await efi.pixCreateCharge({ txid }, charge)
assert.equal(created.status, 'ATIVA')
const read = await efi.pixQrCodeDetail({}, { pixCopiaECola: created.pixCopiaECola })
assert.equal(read.txid, txid)
assert.equal((await efi.pixGenerateQRCode({ id: created.loc.id })).qrcode, created.pixCopiaECola)
assert.equal((await efi.pixUpdateCharge({ txid }, { valor: { original: '38.00' } })).revisao, 1)
const e2eId = (await control('POST', '/payments', { txid })).pix.endToEndId
assert.equal((await efi.pixDetailCharge({ txid })).pix[0].endToEndId, e2eId)
await until('the payment is told', async () => (await told()) === 1)
assert.equal((await efi.pixListCharges(period)).cobs[0].status, 'CONCLUIDA')
assert.equal((await efi.pixReceivedList(period)).pix[0].endToEndId, e2eId)
assert.equal((await efi.pixDetailReceived({ e2eId })).valor, '38.00')

// Refund
assert.equal((await efi.pixDevolution({ e2eId, id: 'R1' }, { valor: '8.00' })).status, 'EM_PROCESSAMENTO')
await until(
  'the refund is done',
  async () => (await efi.pixDetailDevolution({ e2eId, id: 'R1' })).status === 'DEVOLVIDO',
)

// Charge with a due date, and one without a txid
const due = randomUUID().replaceAll('-', '')
const devedor = {
  cpf: '52998224725',
  nome: 'Maria Souza',
  logradouro: 'Rua A',
  cidade: 'Recife',
  uf: 'PE',
  cep: '70011750',
}
const calendario = { dataDeVencimento: instant(10).slice(0, 10), validadeAposVencimento: 30 }
await efi.pixCreateDueCharge({ txid: due }, { calendario, devedor, valor: { original: '100.00' }, chave })
assert.equal((await efi.pixUpdateDueCharge({ txid: due }, { valor: { original: '90.00' } })).revisao, 1)
assert.equal((await efi.pixDetailDueCharge({ txid: due })).valor.original, '90.00')
assert.equal((await efi.pixListDueCharges(period)).cobs.length, 1)
assert.match((await efi.pixCreateImmediateCharge({}, charge)).txid, /^[a-zA-Z0-9]{26,35}$/)

// Locations
const location = await efi.pixCreateLocation({}, { tipoCob: 'cob' })
assert.equal((await efi.pixDetailLocation({ id: location.id })).location, location.location)
assert.ok((await efi.pixLocationList(period)).loc.length > 1)
await efi.pixCreateCharge({ txid: randomUUID().replaceAll('-', '') }, { ...charge, loc: { id: location.id } })
assert.equal((await efi.pixUnlinkTxidLocation({ id: location.id })).txid, undefined)

// Payout
const payout = { valor: '10.00', pagador: { chave }, favorecido: { chave: 'maria@example.com' } }
const accepted = await efi.pixSend({ idEnvio: 'P1' }, payout)
assert.equal(accepted.status, 'EM_PROCESSAMENTO')
await until('the payout is done', async () => (await efi.pixSendDetailId({ idEnvio: 'P1' })).status === 'REALIZADO')
assert.equal((await efi.pixSendDetail({ e2eid: accepted.e2eId })).idEnvio, 'P1')
assert.equal((await efi.pixSendList(period)).pix.length, 1)
await until('all is told', async () => (await told()) === 3)
await assert.rejects(efi.pixSend({ idEnvio: 'P1' }, payout), ({ nome }) => nome === 'id_envio_duplicado')
assert.equal((await efi.getAccountBalance({ bloqueios: true })).saldo, '20.00')
await efi.pixResendWebhook({}, { tipo: 'PIX_ENVIADO', e2eids: [accepted.e2eId] })
await until('it is told again', async () => (await told()) === 4)

// Infraction
await control('POST', '/infractions', { e2eId, amount: '5.00' })
const [infraction] = (await efi.medList(period)).infracoes
assert.equal(infraction.status, 'ABERTA')
await efi.medDefense({ idInfracao: infraction.idInfracao }, { analise: 'rejeitado', justificativa: 'Entregue.' })
assert.equal((await efi.medList(period)).infracoes[0].status, 'EM_DEFESA')

// Errors arrive with the standard's types
const missing = efi.pixDetailCharge({ txid: randomUUID().replaceAll('-', '') })
await assert.rejects(missing, ({ type }) => type === 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado')

// Reconciliation statement of the day before, on the PSP's next day
const today = new Date().toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })
await control('POST', '/clock/advance', { days: 1 })
await control('POST', '/tokens/revoke')
const fresh = new EfiPay({
  sandbox: false,
  client_id: environment.PIX_CLIENT_ID,
  client_secret: environment.PIX_CLIENT_SECRET,
  certificate: setup.pkcs12,
})
const kinds = { pixRecebido: true, pixEnviadoChave: true, pixDevolucaoEnviada: true }
const { id } = await fresh.createReport({}, { dataMovimento: today, tipoRegistros: kinds })
const records = (await fresh.detailReport({ id }))
  .trimEnd()
  .split('\n')
  .map((line) => line.split(';')[0])
assert.deepEqual(records, ['CA', 'PR', 'PDE', 'PEC', 'T'])

await fresh.pixDeleteWebhook({ chave })
process.stdout.write('walked\n')
