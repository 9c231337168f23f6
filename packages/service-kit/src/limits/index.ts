export { addressBudget } from './addressBudget.ts';
export type { RateLimits } from './RateLimits.ts';
