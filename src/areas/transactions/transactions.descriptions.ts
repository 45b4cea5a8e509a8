import type { Language } from '../../domain/language.ts'
import type { TransferKind } from '../../domain/ledger.ts'

/** What a movement is, in Portuguese: to the seller, so by whether they get it where both are possible. */
const PORTUGUESE: Record<TransferKind, string | { credit: string; debit: string }> = {
  payment_received: 'Pagamento recebido, menos a tarifa',
  payment_settled: 'Liquidação de um pagamento',
  reserve_held: 'Reserva retida',
  reserve_released: 'Reserva liberada',
  refund_requested: 'Reembolso ao pagador',
  refund_failed: 'Reembolso não concluído, dinheiro devolvido',
  payer_refund_requested: 'Dinheiro recebido sem cobrança volta ao pagador',
  payer_refund_completed: 'Dinheiro recebido sem cobrança devolvido ao pagador',
  payer_refund_failed: 'Dinheiro recebido sem cobrança não pôde voltar ao pagador',
  dispute_opened: 'Valor bloqueado por uma contestação, disponível ou não',
  dispute_won: 'Contestação ganha, valor desbloqueado',
  dispute_lost: 'Contestação perdida, dinheiro devolvido ao pagador',
  dispute_reversed: 'Contestação perdida e depois ganha, dinheiro devolvido',
  withdrawal_requested: 'Saque solicitado',
  withdrawal_completed: 'Saque pago, menos a tarifa',
  withdrawal_reversed: 'Saque não pago, dinheiro devolvido',
  withdrawal_returned: 'Saque devolvido pelo banco',
  adjustment_posted: { credit: 'Ajuste a seu favor', debit: 'Ajuste' },
  loss_written_off: 'Dívida baixada',
  loss_recovered: 'Recuperação de uma dívida baixada',
  treasury_paid_out: 'Pagamento do que a plataforma ganhou',
  treasury_returned: 'Pagamento da plataforma devolvido',
  exception_resolved: 'Correção após a conciliação com o provedor',
}

/** One short sentence for a row of a statement. In English it is the one that was posted. */
export const descriptionOf = (
  { kind, description }: { kind: TransferKind; description: string },
  amount: number,
  language: Language,
): string => {
  if (language === 'en') return description
  const text = PORTUGUESE[kind]
  if (typeof text === 'string') return text
  return amount > 0 ? text.credit : text.debit
}
