"""The main job by the client that openapi-generator makes for Python."""

import json
import sys
import time

import openapi_client as api

given = json.load(open(sys.argv[1]))


def bearer(token=None):
    return api.ApiClient(api.Configuration(host=given["baseUrl"], access_token=token))


def until(what, is_so):
    for _ in range(400):
        if is_so():
            return
        time.sleep(0.05)
    raise RuntimeError(f"{what} did not come about")


anybody = bearer()
authentication = api.AuthenticationApi(anybody)
registered = authentication.register(api.RegisterRequest.from_dict(given["person"]))
seller = bearer(registered.tokens.access_token)
login = authentication.login(api.LoginRequest.from_dict(given["admin"]))
admin = api.AdminApi(bearer(login.tokens.access_token))

company = api.CompaniesApi(seller).create_company(api.CreateCompanyRequest.from_dict(given["company"]))
assert admin.approve_company(company.id).company.id == company.id

payments = api.PaymentsApi(seller)
payment = payments.create_payment(api.CreatePaymentRequest(method="pix", amount=10_000), idempotency_key="order-77")
api.SandboxApi(seller).pay_sandbox_payment(payment.id)
until("the payment", lambda: payments.get_payment(payment.id).status == "paid")
balance = api.BalanceApi(seller).get_balance()

withdrawals = api.WithdrawalsApi(seller)
request = api.RequestWithdrawalRequest(amount=5_000, pixKeyType="email", pixKey="maria@example.com")
withdrawal = withdrawals.request_withdrawal("withdrawal-1", request)
admin.approve_withdrawal(withdrawal.id)
until("the withdrawal", lambda: withdrawals.get_withdrawal(withdrawal.id).status == "completed")

credentials = api.IntegrationsApi(seller).update_credentials(api.UpdateCredentialsRequest(rotateSecret=True))
token = api.IntegrationsApi(anybody).login_integration(
    api.LoginIntegrationRequest(
        grant_type="client_credentials",
        client_id=credentials.client_id,
        client_secret=credentials.client_secret,
        scope="payments:read",
    )
)
machine = api.PaymentsApi(bearer(token.access_token))
listed = machine.list_payments(sort="-amount")
refused = None
try:
    machine.get_payment(company.id)
except api.ApiException as missing:
    refused = json.loads(missing.body)["code"]

print(
    json.dumps(
        {
            "available": balance.available_amount,
            "withdrawal": "completed",
            "scope": token.scope,
            "listed": [listed.data[0].status, listed.data[0].amount],
            "refused": refused,
        }
    )
)
