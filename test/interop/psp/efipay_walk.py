"""A merchant's day with efipay, Efí's library for Python: charge, pay, list, refund, webhook, payout."""

import datetime
import uuid

from resolve_to_simulator import SETUP  # before the library, so that it resolves names our way
from control import control, told, until

from efipay import EfiPay

environment = SETUP['environment']
key = environment['PIX_KEY']

efi = EfiPay({
    'client_id': environment['PIX_CLIENT_ID'],
    'client_secret': environment['PIX_CLIENT_SECRET'],
    'sandbox': True,
    'certificate': SETUP['pemWithKey'],
})


def instant(days):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


period = {'inicio': instant(-1), 'fim': instant(1)}
charge = {'calendario': {'expiracao': 3600}, 'valor': {'original': '37.00'}, 'chave': key}

# Webhook
efi.pix_config_webhook(params={'chave': key}, body={'webhookUrl': SETUP['webhookUrl']}, headers={'x-skip-mtls-checking': 'true'})
assert efi.pix_detail_webhook(params={'chave': key})['webhookUrl'] == SETUP['webhookUrl']

# Charge and pay
txid = uuid.uuid4().hex
created = efi.pix_create_charge(params={'txid': txid}, body=charge)
assert created['status'] == 'ATIVA', created
assert efi.pix_generate_qrcode(params={'id': created['loc']['id']})['qrcode'] == created['pixCopiaECola']
e2eid = control('POST', '/payments', {'brCode': created['pixCopiaECola']})['pix']['endToEndId']
assert efi.pix_detail_charge(params={'txid': txid})['status'] == 'CONCLUIDA'
until('the payment is told', lambda: told() == 1)

# List and refund
assert [one['endToEndId'] for one in efi.pix_received_list(params=dict(period))['pix']] == [e2eid]
assert efi.pix_devolution(params={'e2eId': e2eid, 'id': 'R1'}, body={'valor': '7.00'})['status'] == 'EM_PROCESSAMENTO'
refund = lambda: efi.pix_detail_devolution(params={'e2eId': e2eid, 'id': 'R1'})
until('the refund is done', lambda: refund()['status'] == 'DEVOLVIDO')

# Payout
payout = {'valor': '10.00', 'pagador': {'chave': key}, 'favorecido': {'chave': 'maria@example.com'}}
assert efi.pix_send(params={'idEnvio': 'P1'}, body=payout)['status'] == 'EM_PROCESSAMENTO'
sent = lambda: efi.pix_send_detail_id(params={'idEnvio': 'P1'})
until('the payout is done', lambda: sent()['status'] == 'REALIZADO')
until('the payout is told', lambda: told() == 3)
assert [one['idEnvio'] for one in efi.pix_send_list(params=dict(period))['pix']] == ['P1']
assert efi.get_account_balance()['saldo'] == '20.00'

# The token ends, and the library gets another one
control('POST', '/tokens/revoke')
assert efi.pix_detail_charge(params={'txid': txid})['status'] == 'CONCLUIDA'

efi.pix_delete_webhook(params={'chave': key})
print('walked')
