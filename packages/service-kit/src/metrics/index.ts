export type { CachedGauge, CachedGaugeOptions, Sample } from './CachedGauge.ts';
export type { Metrics } from './Metrics.ts';
