import type { PublicLinksService } from '../areas/payment-links/public-links.service.ts'
import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import type { Clock } from '../clock.ts'
import type { Language } from '../domain/language.ts'
import type { PaymentMethod } from '../domain/payment.ts'
import { isUuid } from '../domain/uuid.ts'
import { AppError, type InputFault } from '../errors.ts'
import { createAttempts } from './attempts.ts'
import { existingPaymentPage } from './existing.page.ts'
import { formPage } from './form.page.ts'
import { formFaults, withoutCardNumbers } from './form-faults.ts'
import { type Locale, localeOf } from './formats.ts'
import { closedLinkPage, noticePage } from './notice.page.ts'
import { createOpenPayment, isMissing, isReplaceable, isWorthKeeping } from './open-payment.ts'
import { documentOf, type LegalPages, type Page } from './page.ts'
import { noticeOf } from './page-answers.ts'
import { newSession, type PayerSession } from './payer-session.ts'
import { paymentPage } from './payment.page.ts'
import { EMPTY_VALUES, type FormValues, paymentInputOf, type SentForm } from './payment-form.ts'
import { posterPage } from './poster.page.ts'

/** Who looks at which link, as far as the browser tells. */
export type Visit = {
  hash: string
  language: Language
  session: PayerSession | undefined
  /** The network address that the payer comes from. */
  network: string
  /** The payment beside which the payer wants another one. */
  again?: string | undefined
  /** The method that a payer comes back for. */
  method?: string | undefined
}

/** A page. `session` is what the browser shall keep; `frameOrigin` the one foreign origin that the page may frame. */
export type Shown = { status: number; page: Page; session?: PayerSession; frameOrigin?: string | undefined }

/** The address of the page that comes next. */
export type Moved = { location: string; session: PayerSession }

type Dependencies = {
  publicLinks: Pick<
    PublicLinksService,
    'find' | 'get' | 'pay' | 'getPayment' | 'cancelPayment' | 'findPayee' | 'qrCode'
  >
  /** Where the active provider takes card numbers; undefined where it has no page for that. */
  cardFieldsUrl: (language: Language) => string | undefined
  /** Whether no money moves here: the provider is a simulation. */
  isTest: boolean
  /** The operator's own. */
  legalPages?: LegalPages
  clock: Clock
}

/** What is quickest first. */
const METHODS_IN_ORDER: readonly PaymentMethod[] = ['pix', 'credit_card', 'boleto']

// What the payer can do something about. A link that is gone, or a fault of ours, is another page's business.
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && !isMissing(error)

const idOr = (text: string, otherwise: string): string => (isUuid(text) ? text : otherwise)

const refusalText = ({ texts: { refusals } }: Locale, code: string): string | undefined => {
  if (code === 'validation.failed') return undefined
  if (code === 'idempotency.in_progress') return refusals['payment.in_progress']
  return code in refusals ? refusals[code as keyof typeof refusals] : refusals.other
}

type Filled = {
  locale: Locale
  link: PublicLink
  session: PayerSession
  values: FormValues
  /** The open payment that ends by going on; empty: none does. */
  replaces: string
}
type Refusal = { status: number; faults: readonly InputFault[]; problem: string | undefined }

const UNREFUSED: Refusal = { status: 200, faults: [], problem: undefined }

const createForms =
  (cardFieldsUrl: Dependencies['cardFieldsUrl']) =>
  ({ locale, link, session, values, replaces }: Filled, { status, faults, problem }: Refusal = UNREFUSED): Shown => {
    const fieldsUrl = link.methods.includes('credit_card') ? cardFieldsUrl(locale.language) : undefined
    const methods = METHODS_IN_ORDER.filter(
      (method) => link.methods.includes(method) && (method !== 'credit_card' || fieldsUrl !== undefined),
    )
    if (methods.length === 0) return { status: 200, page: closedLinkPage(locale, { ...link, status: 'inactive' }) }
    const page = formPage(locale, {
      link,
      methods,
      values: withoutCardNumbers(values, faults),
      faults: formFaults({ locale, link, values }, faults),
      problem,
      nonce: session.nonce,
      after: session.paymentId ?? '',
      cardFieldsUrl: fieldsUrl,
      replaces,
    })
    return { status, page, session, frameOrigin: fieldsUrl && new URL(fieldsUrl).origin }
  }

/** The pages that payers see, and what their forms do. */
export const createCheckoutService = (dependencies: Dependencies) => {
  const { publicLinks, clock } = dependencies
  const showForm = createForms(dependencies.cardFieldsUrl)
  const payOnce = createAttempts(dependencies)
  const openPayment = createOpenPayment(dependencies)

  /** The form again, with what was typed and what is wrong with it. */
  const refuse = async (visit: Visit, form: SentForm, { code, status, extras }: AppError): Promise<Shown> => {
    const locale = localeOf(visit.language)
    const link = await publicLinks.get(visit.hash)
    if (link.status !== 'active') return { status: 409, page: closedLinkPage(locale, link) }
    // A refusal is the answer to its attempt for good, so that what is mended is a new one. What still runs is not over.
    const known = visit.session ?? { nonce: form.nonce, paymentId: undefined }
    const session = code === 'idempotency.in_progress' ? known : newSession(known.paymentId)
    const refusal = { status, faults: extras.errors ?? [], problem: refusalText(locale, code) }
    return showForm({ locale, link, session, values: form, replaces: form.replaces }, refusal)
  }

  return {
    refuse,

    /** A page that says in the payer's words why there is nothing else to be seen. */
    apologize({ hash, language }: Visit, refusal: AppError): Shown {
      const locale = localeOf(language)
      const backTo = hash === '' || isMissing(refusal) ? undefined : `/pay/${encodeURIComponent(hash)}`
      return { status: refusal.status, page: noticePage(locale, noticeOf(locale, refusal), backTo) }
    },

    /** The page of a link. Throws payment_link.not_found and payment_link.deleted. */
    async open(visit: Visit): Promise<Shown> {
      const { hash, session = newSession(), again, method = '' } = visit
      const locale = localeOf(visit.language)
      const link = await publicLinks.get(hash)
      const payment = await openPayment.find(hash, session.paymentId)
      if (payment && isWorthKeeping(payment) && again !== payment.id) {
        return { status: 200, page: existingPaymentPage(locale, link, payment) }
      }
      if (link.status !== 'active') return { status: 200, page: closedLinkPage(locale, link) }
      const replaces = payment && isReplaceable(payment) ? payment.id : ''
      return showForm({ locale, link, session, values: { ...EMPTY_VALUES, method }, replaces })
    },

    /** What a sent form leads to: the page of its payment, or the form again. Throws as `open` does. */
    async submit(visit: Visit, form: SentForm, requestId: string): Promise<Shown | Moved> {
      const { hash } = visit
      const link = await publicLinks.get(hash)
      const session = visit.session ?? { nonce: idOr(form.nonce, newSession().nonce), paymentId: undefined }
      // The attempt after a payment that the payer knew of: a form from before it is the attempt that made it.
      const key = `${session.nonce}.${idOr(form.after, '')}`
      try {
        const input = paymentInputOf(form, link)
        // Only of the browser that began it, as its cookie says.
        const open = session.paymentId === form.replaces ? await openPayment.end(hash, form.replaces) : undefined
        const { id } = open ?? (await payOnce({ hash, key, network: visit.network, requestId }, input))
        return { location: `/pay/${hash}/payments/${id}`, session: { nonce: session.nonce, paymentId: id } }
      } catch (error) {
        if (!isRefusal(error)) throw error
        return refuse({ ...visit, session }, form, error)
      }
    },

    /** The page of a payment. Throws payment_link.not_found and payment.not_found. */
    async showPayment(hash: string, id: string, language: Language): Promise<Shown> {
      const [link, payment, payee] = await Promise.all([
        publicLinks.find(hash),
        publicLinks.getPayment(hash, id),
        publicLinks.findPayee(hash),
      ])
      const shown = link ?? { hash, title: '', sellerName: '', sellerColor: null, sellerLogo: null }
      const page = paymentPage(localeOf(language), { link: shown, payment, payee, now: clock.now() })
      return { status: 200, page }
    },

    /** The sheet for the counter of a shop. Throws as `open` does. */
    async showPoster(hash: string, language: Language): Promise<Shown> {
      return { status: 200, page: posterPage(localeOf(language), await publicLinks.get(hash)) }
    },

    /** A page as the text that is sent. */
    write: ({ page }: Shown): string => documentOf(page, dependencies),

    /** The QR code of the link itself, as an image. */
    qrCode: publicLinks.qrCode,
  }
}

export type CheckoutService = ReturnType<typeof createCheckoutService>
