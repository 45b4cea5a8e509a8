import { defineErrors } from '../errors.ts'

export const callbackErrors = defineErrors('callback', {
  provider_unknown: [404, 'This platform has no provider of this name.'],
  signature_invalid: [401, 'This callback does not carry a valid signature of its provider.'],
})

export const providerEventErrors = defineErrors('provider_event', {
  not_found: [404, 'No provider event has this id.'],
  already_processed: [409, 'This event has been processed. Replay only what was not.'],
})
