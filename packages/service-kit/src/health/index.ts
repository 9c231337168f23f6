export type { Health, HealthFormat, HealthState } from './Health.ts';
