export { addressBudget } from './addressBudget.ts';
export type { Budget, RateLimits } from './RateLimits.ts';
