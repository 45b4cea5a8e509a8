import type { FastifyBaseLogger } from 'fastify'
import type { PixApi } from './api/pix-api.ts'
import { SECRET_PARAMETER } from './pix.callbacks.ts'

type Dependencies = {
  name: string
  api: Pick<PixApi, 'webhooks'>
  key: string
  callbackSecret: string
  publicUrl: () => string
  logger: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Where the PSP calls back. Banks append `/pix` to the text of an address as it stands, so that a parameter which nobody reads
 * stands last.
 */
export const callbackUrlOf = ({
  name,
  callbackSecret,
  publicUrl,
}: Pick<Dependencies, 'name' | 'callbackSecret' | 'publicUrl'>) =>
  `${publicUrl()}/callbacks/${name}?${SECRET_PARAMETER}=${callbackSecret}&ignorar=`

/** Tells the PSP where to call back, where it does not have that address yet. The address holds a secret and is never logged. */
export const createRegisterWebhook = (dependencies: Dependencies) => {
  const { api, key, name, logger } = dependencies
  return {
    /** Answers 1 where the address is new there. What fails is tried again by the next run. */
    async runOnce(): Promise<number> {
      const url = callbackUrlOf(dependencies)
      const registered = await api.webhooks.get(key, { isBackground: true })
      if (registered.kind === 'ok' && registered.value.url === url) return 0
      if (registered.kind !== 'ok' && registered.kind !== 'missing') {
        logger.warn({ provider: name, outcome: registered.kind }, 'the PSP does not tell where it calls back')
        return 0
      }
      const answer = await api.webhooks.put(key, url, { skipMtlsChecking: true })
      if (answer.kind === 'ok') logger.info({ provider: name }, 'the PSP calls back here from now on')
      else logger.warn({ provider: name, outcome: answer }, 'the PSP does not take the address to call back')
      return answer.kind === 'ok' ? 1 : 0
    },
  }
}
