/** What the areas are about, in the order in which the documentation shows them. */
export const TAGS = [
  { name: 'Authentication', description: 'Registration, login and tokens.' },
  { name: 'Users', description: 'People who log in: sellers and administrators.' },
  { name: 'Companies', description: "A seller's company, its documents and their approval." },
  { name: 'Integrations', description: "API access for a seller's own server." },
  { name: 'Customers', description: 'The people and companies that pay a seller.' },
  { name: 'Payments', description: 'Pix, boleto and card payments, refunds and disputes.' },
  { name: 'Balance', description: 'What a seller has and when the rest arrives.' },
  { name: 'Transactions', description: 'The statement: every movement of money.' },
  { name: 'Fees', description: 'What the platform charges.' },
  { name: 'Withdrawals', description: "Money on its way to a seller's bank." },
  { name: 'Webhooks', description: 'Addresses that are told what happened, deliveries and events.' },
  { name: 'Dashboard', description: "A seller's figures." },
  { name: 'Admin', description: 'What administrators see and decide.' },
  { name: 'Status', description: 'Whether the platform works, and examples of its events.' },
  { name: 'Callbacks', description: 'Where the payment provider says what became of payments and payouts.' },
  { name: 'Sandbox', description: 'Drives the simulated provider. Absent with a real one.' },
] as const
