export type { Metrics } from './Metrics.ts';
