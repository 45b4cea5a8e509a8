// The main job by the client that oapi-codegen makes.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"walk/client"
)

var ctx = context.Background()

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func bearer(baseURL, token string) *client.ClientWithResponses {
	authorize := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	return must(client.NewClientWithResponses(baseURL, client.WithRequestEditorFn(authorize)))
}

func until(what string, isSo func() bool) {
	for tries := 0; tries < 400; tries++ {
		if isSo() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	panic(what + " did not come about")
}

func ptr[T any](value T) *T { return &value }

type input struct {
	BaseURL string                              `json:"baseUrl"`
	Admin   client.LoginJSONRequestBody         `json:"admin"`
	Person  client.RegisterJSONRequestBody      `json:"person"`
	Company client.CreateCompanyJSONRequestBody `json:"company"`
}

func main() {
	var given input
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[1])), &given))
	anybody := bearer(given.BaseURL, "")

	registered := must(anybody.RegisterWithResponse(ctx, given.Person)).JSON201
	seller := bearer(given.BaseURL, registered.Tokens.AccessToken)
	admin := bearer(given.BaseURL, must(anybody.LoginWithResponse(ctx, given.Admin)).JSON200.Tokens.AccessToken)

	company := must(seller.CreateCompanyWithResponse(ctx, nil, given.Company)).JSON201
	approved := must(admin.ApproveCompanyWithResponse(ctx, company.Id)).JSON200
	if approved.Company.Id != company.Id {
		panic("another company was approved")
	}

	payment := must(seller.CreatePaymentWithResponse(ctx, &client.CreatePaymentParams{IdempotencyKey: ptr("order-77")},
		client.CreatePaymentJSONRequestBody{Method: "pix", Amount: 10000})).JSON201
	must(seller.PaySandboxPaymentWithResponse(ctx, payment.Id, client.PaySandboxPaymentJSONRequestBody{}))
	until("the payment", func() bool {
		return must(seller.GetPaymentWithResponse(ctx, payment.Id)).JSON200.Status == "paid"
	})
	balance := must(seller.GetBalanceWithResponse(ctx)).JSON200

	withdrawal := must(seller.RequestWithdrawalWithResponse(ctx, &client.RequestWithdrawalParams{IdempotencyKey: "withdrawal-1"},
		client.RequestWithdrawalJSONRequestBody{Amount: 5000, PixKeyType: "email", PixKey: "maria@example.com"})).JSON201
	must(admin.ApproveWithdrawalWithResponse(ctx, withdrawal.Id))
	until("the withdrawal", func() bool {
		return must(seller.GetWithdrawalWithResponse(ctx, withdrawal.Id)).JSON200.Status == "completed"
	})

	credentials := must(seller.UpdateCredentialsWithResponse(ctx, nil,
		client.UpdateCredentialsJSONRequestBody{RotateSecret: ptr(true)})).JSON200
	token := must(anybody.LoginIntegrationWithFormdataBodyWithResponse(ctx, client.LoginIntegrationFormdataRequestBody{
		GrantType: ptr("client_credentials"), ClientId: &credentials.ClientId, ClientSecret: credentials.ClientSecret,
		Scope: ptr("payments:read"),
	})).JSON200
	machine := bearer(given.BaseURL, token.AccessToken)
	listed := must(machine.ListPaymentsWithResponse(ctx, &client.ListPaymentsParams{Sort: ptr(client.ListPaymentsParamsSort("-amount"))})).JSON200
	missing := must(machine.GetPaymentWithResponse(ctx, company.Id)).ApplicationproblemJSON404

	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"available": balance.AvailableAmount, "withdrawal": "completed", "scope": token.Scope,
		"listed": []any{listed.Data[0].Status, listed.Data[0].Amount}, "refused": missing.Code,
	}))
}
