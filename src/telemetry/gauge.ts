/** A measurement that is read when somebody asks: one number, or several by the value of `label`. */
export type GaugeSource = {
  name: string
  help: string
  label?: string
  read: () => number | Readonly<Record<string, number>> | Promise<number | Readonly<Record<string, number>>>
}
