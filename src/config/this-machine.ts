/** Whether an address leads to this machine itself, also by a socket in its files: nobody reads along there. */
export const isThisMachine = ({ hostname }: URL): boolean => /^(|localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
