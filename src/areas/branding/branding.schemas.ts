import { z } from 'zod'
import type { HexColor } from '../../domain/brand-color.ts'
import { LOGO_BYTES_MAX, LOGO_CONTENT_TYPES, LOGO_PIXELS } from '../../domain/logo.ts'
import { idSchema, timestampView, urlView } from '../../http/primitives.schemas.ts'

const HEX = /^#[0-9a-f]{6}$/

const colorField = (description: string, sample: string) =>
  z
    .string()
    .length(7)
    .regex(HEX)
    .meta({ description, examples: [sample] })

const isHexColor = (text: string): text is HexColor => HEX.test(text)

export const updateBrandingBody = z
  .strictObject({
    color: z
      .string()
      .max(7)
      .toLowerCase()
      .refine(isHexColor, 'must be a colour as #rrggbb, for example #0a6b4f')
      .nullable()
      .meta({
        description:
          'The colour of buttons, links and marks. Every colour can be chosen: what is written in it or on it is drawn in a shade that can be read. Null: the platform’s own.',
        pattern: '^#[0-9a-fA-F]{6}$',
        examples: ['#7a1fa2'],
      }),
  })
  .meta({ description: 'How pages look.', examples: [{ color: '#7a1fa2' }] })

export type UpdateBrandingBody = z.output<typeof updateBrandingBody>

// The parts are read as a stream by the handler, which also judges them: this only documents the form.
export const logoForm = z.any().meta({
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      maxLength: LOGO_BYTES_MAX,
      description: 'A PNG or JPEG image of up to 512 KiB, 32 to 2,048 pixels wide and high.',
    },
  },
})

const pixels = (description: string, sample: number) =>
  z
    .number()
    .int()
    .min(LOGO_PIXELS.min)
    .max(LOGO_PIXELS.max)
    .meta({ description, examples: [sample] })

/** A logo where payers see it. */
export const shownLogoFields = {
  url: urlView.meta({
    description:
      'Where the image is. Open to anybody; another image has another address, so that this one may be kept.',
    examples: ['https://pay.example.com/pay/logos/01981c5e-7a42-7b3c-9d0e-2f6a1b8c4d55'],
  }),
  width: pixels('Pixels.', 512),
  height: pixels('Pixels.', 256),
}

const logoView = z
  .object({
    ...shownLogoFields,
    contentType: z
      .enum(LOGO_CONTENT_TYPES)
      .meta({ description: 'Kind of the image, judged by its content.', examples: ['image/png'] }),
    size: z
      .number()
      .int()
      .min(1)
      .max(LOGO_BYTES_MAX)
      .meta({ description: 'Size of the file in bytes.', examples: [18_211] }),
    sha256: z
      .string()
      .length(64)
      .meta({
        description: 'SHA-256 of the file, in hexadecimal.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    createdAt: timestampView.meta({ description: 'When it was sent.' }),
  })
  .meta({ description: 'The logo.' })

const shades = (description: string, accent: string) =>
  z
    .object({
      button: colorField('Behind the text of buttons: the colour itself.', '#7a1fa2'),
      buttonText: colorField('The text of buttons: white or black.', '#ffffff'),
      accent: colorField('Links, borders and marks.', accent),
    })
    .meta({ description })

export const brandingResponse = z
  .object({
    sellerId: idSchema.meta({ description: 'The seller whose payers see it.' }),
    color: colorField('The colour that was chosen. Null: the platform’s own.', '#7a1fa2').nullable(),
    shades: z
      .object({
        light: shades('On light pages.', '#7a1fa2'),
        dark: shades('On dark pages.', '#af79c7'),
      })
      .nullable()
      .meta({ description: 'What becomes of the colour, so that text has a contrast of at least 4.5 (WCAG 2.2 AA).' }),
    logo: logoView.nullable(),
    updatedAt: timestampView.nullable().meta({ description: 'When any of it changed. Null: it never did.' }),
  })
  .meta({ title: 'Branding', description: 'What payers see of a seller beside the name.' })

/** The same in short, beside other things of a seller. */
export const brandingSummary = z
  .object({
    color: colorField('The colour that was chosen. Null: the platform’s own.', '#7a1fa2').nullable(),
    logoUrl: shownLogoFields.url.nullable(),
  })
  .meta({ description: 'What payers see of the seller beside the name.' })
