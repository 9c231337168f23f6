import type { Service } from './organisation';

/** The demo's flags by team; the first service of each team evaluates them. */
export const FLAGS_BY_TEAM: Readonly<Record<string, readonly string[]>> = {
  checkout: ['demo.gift-cards', 'demo.split-payments', 'demo.express-checkout'],
  storefront: ['demo.new-product-page'],
  billing: ['demo.instant-invoices', 'demo.stop-payouts'],
  fulfilment: ['demo.carrier-fallback'],
  accounts: ['demo.loyalty-points'],
  search: ['demo.better-ranking'],
};

/** Returns the flags that a service evaluates. */
export function flagsOfService({ name, team }: Service): readonly string[] {
  return team.plan.services[0] === name ? (FLAGS_BY_TEAM[team.name] ?? []) : [];
}
