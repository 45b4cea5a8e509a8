import { type Html, html } from '../html.ts'

type Field = {
  name: string
  label: string
  hint?: string | undefined
  value: string
  /** What is wrong with the value. */
  error: string | undefined
  /** What the script says when it finds the value wrong while it is typed. */
  complaint: string
  autocomplete: string
  inputMode: 'text' | 'decimal' | 'email'
  maxLength: number
  prefix?: string
}

/** Where the error of a field stands, hidden while there is none. */
export const fieldError = (name: string, error: string | undefined): Html =>
  error === undefined
    ? html`<p class="error" id="${name}-error" hidden></p>`
    : html`<p class="error" id="${name}-error">${error}</p>`

/** A text field with its label, its hint and its error. */
export const textField = (field: Field): Html => {
  const { name, hint, error } = field
  const describedBy = hint === undefined ? `${name}-error` : `${name}-hint ${name}-error`
  return html`<div class="field">
  <label for="${name}">${field.label}</label>
  ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  <div class="input${field.prefix !== undefined && ' money'}">${field.prefix !== undefined && html`<span class="prefix" aria-hidden="true">${field.prefix}</span>`}<input id="${name}" name="${name}" type="${field.inputMode === 'email' ? 'email' : 'text'}" inputmode="${field.inputMode}" autocomplete="${field.autocomplete}" maxlength="${field.maxLength}" value="${field.value}" aria-describedby="${describedBy}" ${error === undefined ? html`` : html`aria-invalid="true"`} data-complaint="${field.complaint}"></div>
  ${fieldError(name, error)}
</div>`
}
