"""A merchant's day with pypix-api: charge, pay, list, refund, webhook, at the addresses that the library has for the bank."""

import datetime
import sys
import uuid

from resolve_to_simulator import SETUP  # before the library, so that it resolves names our way
from control import control, told, until

from pypix_api.auth.oauth2 import OAuth2Client
from pypix_api.banks.bb import BBPixAPI
from pypix_api.banks.inter import InterPixAPI
from pypix_api.banks.sicoob import SicoobPixAPI
from pypix_api.banks.sicredi import SicrediPixAPI
from pypix_api.exceptions import PixErroValidacaoException, PixRecursoNaoEncontradoException
from pypix_api.scopes.bb import BBScopes

BANKS = {'bb': BBPixAPI, 'inter': InterPixAPI, 'sicoob': SicoobPixAPI, 'sicredi': SicrediPixAPI}

profile = sys.argv[1]
environment = SETUP['environment']
key = environment['PIX_KEY']


def certificate():
    # One bank by PKCS#12, the others by PEM: the library has both ways.
    if profile == 'sicredi':
        return {'cert_pfx': SETUP['pkcs12'], 'pwd_pfx': SETUP['pkcs12Password']}
    return {'cert': environment['PIX_CERTIFICATE_FILE'], 'pvk': environment['PIX_CERTIFICATE_KEY_FILE']}


def client():
    options = {'client_id': environment['PIX_CLIENT_ID'], **certificate()}
    if profile in ('inter', 'sicredi'):
        options['client_secret'] = environment['PIX_CLIENT_SECRET']
    if profile == 'inter':
        options['client_auth'] = 'body'
    bank = BANKS[profile]
    # For this bank the library asks for less by itself than the walk needs.
    asked = [BBScopes.PIX, BBScopes.COB, BBScopes.COBV, BBScopes.WEBHOOK, BBScopes.LOCATION]
    scopes = {'scopes': asked} if profile == 'bb' else {}
    return bank(OAuth2Client(token_url=bank.TOKEN_URL, **options), **scopes)


def instant(days):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=days)
    return moment.strftime('%Y-%m-%dT%H:%M:%SZ')


def body(amount='37.00'):
    return {
        'calendario': {'expiracao': 3600},
        'devedor': {'cpf': '52998224725', 'nome': 'Maria Souza'},
        'valor': {'original': amount},
        'chave': key,
    }


pix = client()
period = {'inicio': instant(-1), 'fim': instant(1)}

# Webhook
pix.configurar_webhook(key, SETUP['webhookUrl'])
assert pix.consultar_webhook(key)['webhookUrl'] == SETUP['webhookUrl']
if profile != 'inter':
    assert [one['webhookUrl'] for one in pix.listar_webhooks(**period)['webhooks']] == [SETUP['webhookUrl']]

# Charge, and revise it
txid = uuid.uuid4().hex
assert pix.criar_cob(txid, body())['status'] == 'ATIVA'
assert pix.criar_cob(txid, body())['txid'] == txid
assert pix.revisar_cob(txid, {'valor': {'original': '38.00'}})['revisao'] == 1
assert pix.consultar_cob(txid, revisao=0)['valor']['original'] == '37.00'

# Pay
e2eid = control('POST', '/payments', {'txid': txid})['pix']['endToEndId']
assert pix.consultar_cob(txid)['status'] == 'CONCLUIDA'
until('the payment is told', lambda: told() == 1)

# List
assert [one['txid'] for one in pix.consultar_cobs(**period, status='CONCLUIDA')['cobs']] == [txid]
listed = pix.consultar_pix(**period, txid=txid)
assert [one['endToEndId'] for one in listed['pix']] == [e2eid], listed
assert listed['parametros']['paginacao']['quantidadeTotalDeItens'] == 1
assert pix.consultar_pix_por_e2eid(e2eid)['valor'] == '38.00'

# Refund
assert pix.solicitar_devolucao_pix(e2eid, 'R1', {'valor': '8.00'})['status'] == 'EM_PROCESSAMENTO'
until('the refund is done', lambda: pix.consultar_devolucao_pix(e2eid, 'R1')['status'] == 'DEVOLVIDO')
until('the refund is told', lambda: told() == 2)
assert pix.consultar_pix(**period, devolucao_presente=True)['pix'][0]['devolucoes'][0]['id'] == 'R1'

# Remove
removed = pix.criar_cob_auto_txid(body())['txid']
assert pix.revisar_cob(removed, {'status': 'REMOVIDA_PELO_USUARIO_RECEBEDOR'})['status'] != 'ATIVA'

# Charge with a due date
due = uuid.uuid4().hex
debtor = {'cpf': '52998224725', 'nome': 'Maria Souza', 'cidade': 'Recife', 'uf': 'PE', 'cep': '70011750', 'logradouro': 'Rua A'}
calendar = {'dataDeVencimento': (datetime.date.today() + datetime.timedelta(days=10)).isoformat(), 'validadeAposVencimento': 30}
value = {'original': '100.00', 'multa': {'modalidade': 2, 'valorPerc': '2.00'}, 'juros': {'modalidade': 3, 'valorPerc': '1.00'}}
pix.criar_cobv(due, {'calendario': calendar, 'devedor': debtor, 'valor': value, 'chave': key})
assert pix.revisar_cobv(due, {'valor': {'original': '90.00'}})['revisao'] == 1
control('POST', '/payments', {'txid': due})
assert pix.consultar_cobv(due)['pix'][0]['componentesValor'] == {'original': {'valor': '90.00'}}
assert len(pix.listar_cobv(**period)['cobs']) == 1

# Locations
location = pix.criar_location('cob')
assert pix.consultar_location(location['id'])['location'] == location['location']
assert len(pix.listar_locations(**period)['loc']) >= 1
pix.criar_cob(uuid.uuid4().hex, {**body(), 'loc': {'id': location['id']}})
assert 'txid' not in pix.desvincular_txid_location(location['id'])

# Errors arrive as the library's own
for expected, call in (
    (PixRecursoNaoEncontradoException, lambda: pix.consultar_cob(uuid.uuid4().hex)),
    (PixErroValidacaoException, lambda: pix.criar_cob(uuid.uuid4().hex, body('0.00'))),
):
    try:
        call()
    except expected as error:
        assert error.type.startswith('https://pix.bcb.gov.br/api/v2/error/'), error
    else:
        raise AssertionError(f'no {expected.__name__}')

assert pix.excluir_webhook(key)
print('walked')
