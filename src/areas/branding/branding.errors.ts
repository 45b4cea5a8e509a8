import { defineErrors } from '../../errors.ts'

export const brandingErrors = defineErrors('branding', {
  logo_not_found: [404, 'No logo has this address.'],
  logo_type_not_supported: [415, 'A logo is a PNG or JPEG image, judged by its content. Export it as PNG, not as SVG.'],
  logo_dimensions: [422, 'A logo is between 32 and 2,048 pixels wide and high. Scale it, and send it again.'],
  quota_reached: [422, 'The logo was replaced too often. Those before it are removed within the hour: try again then.'],
})
