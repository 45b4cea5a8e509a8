// Behind the #, which browsers keep to themselves: no log of a server or proxy gets to hold a token.
const withToken = (address: string, token: string): string => `${address}#${new URLSearchParams({ token })}`

/** Every address that a mail leads to, below the one where people reach the platform. */
export const createMailLinks = (publicUrl: string) => ({
  verifyEmail: (token: string): string => withToken(`${publicUrl}/account/verify-email`, token),
  confirmEmail: (token: string): string => withToken(`${publicUrl}/account/confirm-email`, token),
  resetPassword: (token: string): string => withToken(`${publicUrl}/account/reset-password`, token),
  acceptInvitation: (token: string): string => withToken(`${publicUrl}/account/accept-invitation`, token),
  /** Where people read how to choose their mails. */
  notifications: (): string => `${publicUrl}/docs/#tag/users/PUT/api/v1/users/{id}/notifications`,
})

export type MailLinks = ReturnType<typeof createMailLinks>
