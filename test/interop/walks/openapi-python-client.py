"""The main job by the client that openapi-python-client makes."""

import json
import sys
import time
from http import HTTPStatus

from client import AuthenticatedClient, Client
from client.api.admin import approve_company, approve_withdrawal
from client.api.authentication import login, register
from client.api.balance import get_balance
from client.api.companies import create_company
from client.api.integrations import login_integration, update_credentials
from client.api.payments import create_payment, get_payment, list_payments
from client.api.sandbox import pay_sandbox_payment
from client.api.withdrawals import get_withdrawal, request_withdrawal
from client import models

given = json.load(open(sys.argv[1]))
base_url = given["baseUrl"]


def bearer(token):
    return AuthenticatedClient(base_url=base_url, token=token)


def until(what, is_so):
    for _ in range(400):
        if is_so():
            return
        time.sleep(0.05)
    raise RuntimeError(f"{what} did not come about")


anybody = Client(base_url=base_url)
registered = register.sync(client=anybody, body=models.RegisterBody.from_dict(given["person"]))
seller = bearer(registered.tokens.access_token)
admin = bearer(login.sync(client=anybody, body=models.LoginBody.from_dict(given["admin"])).tokens.access_token)

company = create_company.sync(client=seller, body=models.CreateCompanyBody.from_dict(given["company"]))
approved = approve_company.sync(client=admin, id=company.id)
assert approved.company.id == company.id

payment = create_payment.sync(
    client=seller,
    body=models.CreatePaymentBody(method=models.CreatePaymentBodyMethod.PIX, amount=10_000),
    idempotency_key="order-77",
)
pay_sandbox_payment.sync(client=seller, id=payment.id)
until("the payment", lambda: get_payment.sync(client=seller, id=payment.id).status == "paid")
balance = get_balance.sync(client=seller)

withdrawal = request_withdrawal.sync(
    client=seller,
    body=models.RequestWithdrawalBody(
        amount=5_000,
        pix_key_type=models.RequestWithdrawalBodyPixKeyType.EMAIL,
        pix_key="maria@example.com",
    ),
    idempotency_key="withdrawal-1",
)
approve_withdrawal.sync(client=admin, id=withdrawal.id)
until("the withdrawal", lambda: get_withdrawal.sync(client=seller, id=withdrawal.id).status == "completed")

credentials = update_credentials.sync(client=seller, body=models.UpdateCredentialsBody(rotate_secret=True))
token = login_integration.sync(
    client=anybody,
    body=models.LoginIntegrationDataBody(
        grant_type="client_credentials",
        client_id=credentials.client_id,
        client_secret=credentials.client_secret,
        scope="payments:read",
    ),
)
machine = bearer(token.access_token)
listed = list_payments.sync(client=machine, sort=models.ListPaymentsSort("-amount"))
missing = get_payment.sync_detailed(client=machine, id=company.id)
assert missing.status_code == HTTPStatus.NOT_FOUND

print(
    json.dumps(
        {
            "available": balance.available_amount,
            "withdrawal": "completed",
            "scope": token.scope,
            "listed": [listed.data[0].status, listed.data[0].amount],
            "refused": missing.parsed.code,
        }
    )
)
