import type { Knex } from 'knex';
import { startReadRoutes } from '../../metrics/__testUtils__/startReadRoutes';
import { insertRows } from './rows';

const OWNERSHIP = {
  entityRef: 'component:default/till',
  team: 'group:default/payments',
  project: 'system:default/shop',
};
const { entityRef: entity_ref, team, project } = OWNERSHIP;

/** A component that is reported under two names, and a service without a component. */
const SERVICES = [
  { id: 1, name: 'till', entity_ref, team, project },
  { id: 2, name: 'shop/till', entity_ref, team, project },
  { id: 3, name: 'stray' },
];

/** Five days after the Unix epoch, because rows have times shortly after it. */
const NOW = 5 * 24 * 3_600_000;

/** Starts the read routes on a lake of three services with these rows. */
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

/** Returns the numbers in the ids of deployments or incidents. */
export function numbersOf(items: { id: string }[]): number[] {
  return items.map(({ id }) => Number(id.replace(/^\w+-/, '')));
}
