/** What a platform of the tests is told where it is to be as strict as in production. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pay.example.com',
  PROVIDER: 'sandbox',
  ALLOW_SANDBOX: 'true',
  SHUTDOWN_GRACE_SECONDS: '0',
  BREACHED_PASSWORDS_URL: 'none',
}
