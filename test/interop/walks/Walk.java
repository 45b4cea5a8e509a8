// The main job by the client that openapi-generator makes for Java.
import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Walk {
  private final JsonObject given;

  private Walk(JsonObject given) {
    this.given = given;
  }

  private ApiClient bearer(String token) {
    ApiClient client = new ApiClient().setBasePath(given.get("baseUrl").getAsString());
    if (token != null) client.setBearerToken(token);
    return client;
  }

  private static void until(String what, Callable<Boolean> isSo) throws Exception {
    for (int tries = 0; tries < 400; tries++) {
      if (isSo.call()) return;
      Thread.sleep(50);
    }
    throw new IllegalStateException(what + " did not come about");
  }

  private Map<String, Object> walk() throws Exception {
    ApiClient anybody = bearer(null);
    AuthenticationApi authentication = new AuthenticationApi(anybody);
    Session registered = authentication.register(RegisterRequest.fromJson(given.get("person").toString()));
    ApiClient seller = bearer(registered.getTokens().getAccessToken());
    Session login = authentication.login(LoginRequest.fromJson(given.get("admin").toString()));
    AdminApi admin = new AdminApi(bearer(login.getTokens().getAccessToken()));

    CreateCompanyRequest body = CreateCompanyRequest.fromJson(given.get("company").toString());
    UUID company = new CompaniesApi(seller).createCompany(body, null).getId();
    if (!admin.approveCompany(company).getCompany().getId().equals(company)) throw new IllegalStateException("another company");

    PaymentsApi payments = new PaymentsApi(seller);
    CreatePaymentRequest pix = new CreatePaymentRequest().method(CreatePaymentRequest.MethodEnum.PIX).amount(10_000);
    UUID payment = payments.createPayment(pix, "order-77").getId();
    new SandboxApi(seller).paySandboxPayment(payment, new PaySandboxPaymentRequest());
    until("the payment", () -> payments.getPayment(payment).getStatus() == SettledPayment.StatusEnum.PAID);
    Balance balance = new BalanceApi(seller).getBalance();

    WithdrawalsApi withdrawals = new WithdrawalsApi(seller);
    RequestWithdrawalRequest request = new RequestWithdrawalRequest()
        .amount(5_000).pixKeyType(RequestWithdrawalRequest.PixKeyTypeEnum.EMAIL).pixKey("maria@example.com");
    UUID withdrawal = withdrawals.requestWithdrawal("withdrawal-1", request).getId();
    admin.approveWithdrawal(withdrawal);
    until("the withdrawal", () -> withdrawals.getWithdrawal(withdrawal).getStatus() == Withdrawal.StatusEnum.COMPLETED);

    RotatedCredentials credentials =
        new IntegrationsApi(seller).updateCredentials(new UpdateCredentialsRequest().rotateSecret(true), null);
    AccessToken token = new IntegrationsApi(anybody).loginIntegration(new LoginIntegrationRequest()
        .grantType("client_credentials").clientId(credentials.getClientId())
        .clientSecret(credentials.getClientSecret()).scope("payments:read"));
    PaymentsApi machine = new PaymentsApi(bearer(token.getAccessToken()));
    SettledPayment first = machine
        .listPayments(
            null, null, null, "-amount", null, null, null, null, null, null, null, null, null, null, null, null, null, null,
            null)
        .getData().get(0);
    String refused = null;
    try {
      machine.getPayment(company);
    } catch (ApiException missing) {
      refused = JsonParser.parseString(missing.getResponseBody()).getAsJsonObject().get("code").getAsString();
    }
    return Map.of(
        "available", balance.getAvailableAmount(), "withdrawal", "completed", "scope", token.getScope(),
        "listed", List.of(first.getStatus().getValue(), first.getAmount()), "refused", String.valueOf(refused));
  }

  public static void main(String[] args) throws Exception {
    JsonObject given = JsonParser.parseString(Files.readString(Path.of(args[0]))).getAsJsonObject();
    System.out.println(new Gson().toJson(new Walk(given).walk()));
    System.exit(0);
  }
}
