import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, type DataPoint, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'

export type ReadMetric = MetricObjectWithValues<MetricValue<string>>

type Period = { startTime: HrTime; endTime: HrTime }
type Histogram = { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number }

const attributesOf = ({ labels: { le: _bound, ...labels } }: MetricValue<string>) =>
  Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]))

const nameOf = (value: MetricValue<string>, metric: ReadMetric): string =>
  'metricName' in value ? String(value.metricName) : metric.name

// Prometheus counts in each bucket all that are below its bound, OpenTelemetry those between it and the bound before.
const histogramOf = (values: readonly MetricValue<string>[], metric: ReadMetric): Histogram => {
  const of = (suffix: string) => values.filter((value) => nameOf(value, metric) === `${metric.name}_${suffix}`)
  const buckets = of('bucket')
  return {
    buckets: {
      boundaries: buckets.flatMap(({ labels }) => (labels.le === '+Inf' ? [] : [Number(labels.le)])),
      counts: buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0)),
    },
    sum: of('sum')[0]?.value ?? 0,
    count: of('count')[0]?.value ?? 0,
  }
}

const numbersOf = (metric: ReadMetric, period: Period): DataPoint<number>[] =>
  metric.values.map((value) => ({ ...period, attributes: attributesOf(value), value: value.value }))

const histogramsOf = (metric: ReadMetric, period: Period): DataPoint<Histogram>[] => {
  const series = Map.groupBy(metric.values, (value) => JSON.stringify(attributesOf(value)))
  return [...series].map(([attributes, values]) => ({
    ...period,
    attributes: JSON.parse(attributes),
    value: histogramOf(values, metric),
  }))
}

/** What the registry of /metrics has read, as OpenTelemetry sends it. Undefined for what it has no form for. */
export const metricDataOf = (metric: ReadMetric, period: Period): MetricData | undefined => {
  const common = {
    descriptor: { name: metric.name, description: metric.help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  // The library's types have an enum here, and its values words.
  switch (String(metric.type)) {
    case 'counter':
      return { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbersOf(metric, period) }
    case 'gauge':
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbersOf(metric, period) }
    case 'histogram':
      return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(metric, period) }
    default:
      return undefined
  }
}
