import type { Knex } from 'knex';
import { startReadRoutes } from '../../metrics/__testUtils__/startReadRoutes';
import { insertRows } from './rows';

const OWNERSHIP = {
  entityRef: 'component:default/till',
  team: 'group:default/payments',
  project: 'system:default/shop',
};
const { entityRef: entity_ref, team, project } = OWNERSHIP;

/** A component that two names report, and a service that nobody claims. */
const SERVICES = [
  { id: 1, name: 'till', entity_ref, team, project },
  { id: 2, name: 'shop/till', entity_ref, team, project },
  { id: 3, name: 'stray' },
];

/** Five days after 1970 began: rows count their times in seconds from there. */
const NOW = 5 * 24 * 3_600_000;

/** Starts the routes that read on a lake of three services with these rows. */
export async function startHistory(
  knex: Knex,
  tables: Record<string, object[]> = {},
  options: Partial<Parameters<typeof startReadRoutes>[0]> = {},
) {
  return startReadRoutes({
    now: NOW,
    knex,
    fill: db => insertRows(db, { services: SERVICES, ...tables }),
    directory: { till: { match: 'known', ownership: OWNERSHIP } },
    ...options,
  });
}

/** The numbers in the ids of deployments or incidents. */
export function numbersOf(items: { id: string }[]): number[] {
  return items.map(({ id }) => Number(id.replace(/^\w+-/, '')));
}
