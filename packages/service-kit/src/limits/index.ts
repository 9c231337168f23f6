export type { Budget, RateLimits } from './RateLimits.ts';
