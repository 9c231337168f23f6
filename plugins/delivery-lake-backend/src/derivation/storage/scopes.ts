import type { Knex } from 'knex';
import { LocalDays } from '../LocalDays';
import { DirtyService } from './marks';
import { queryRows, recordTable, RecordTable } from './recordTable';

/** Before every moment that anything can have. */
const BEGINNING = -8_640_000_000_000_000;

/** How far back deriving a service has to look, all in milliseconds. */
export interface Scope extends DirtyService {
  /** Failures, rework and counts are derived from here on: the beginning of a day. */
  from: number;
  /** Deployments are looked at from here on, to see what those incidents mean. */
  contextFrom: number;
  /** Nothing that was derived before is relied on. */
  isWhole: boolean;
}

interface LastFinish {
  service_id: number;
  finished_at: string | number | null;
}

/** A list of services, each with a moment, to join. */
export function momentTable(
  knex: Knex,
  scopes: readonly { serviceId: number; moment: number }[],
): RecordTable {
  return recordTable(
    knex,
    'r',
    { service_id: 'integer', moment: 'bigint' },
    scopes.map(({ serviceId, moment }) => ({ service_id: serviceId, moment })),
  );
}

/** When the last counted deployment before a moment finished; absent: there is none. */
async function findLastFinishes(
  trx: Knex.Transaction,
  moments: readonly { serviceId: number; moment: number }[],
): Promise<Map<number, number>> {
  const list = momentTable(trx, moments);
  const rows = await queryRows<LastFinish>(
    trx,
    `SELECT r.service_id, (
       SELECT MAX(d.finished_at) FROM deployments d
       WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at < r.moment
     ) AS finished_at FROM ${list.sql}`,
    list.bindings,
  );
  return new Map(
    rows.flatMap(row =>
      row.finished_at === null
        ? []
        : [[row.service_id, Number(row.finished_at)] as const],
    ),
  );
}

/**
 * How far what happened at `since` reaches back: to the deployments that an incident
 * can be blamed on, and to the one before, which a roll-back can mean.
 */
export async function findScopes(
  trx: Knex.Transaction,
  dirty: readonly DirtyService[],
  options: { days: LocalDays; incidentWindow: number },
): Promise<Scope[]> {
  const { days, incidentWindow } = options;
  const partial = dirty.filter(({ since }) => since > 0);
  const before = await findLastFinishes(
    trx,
    partial.map(({ serviceId, since }) => ({ serviceId, moment: since })),
  );
  const bounded = partial.map(each => ({
    ...each,
    from: days.startOfDay(
      Math.min(
        each.since - incidentWindow,
        before.get(each.serviceId) ?? Infinity,
      ),
    ),
  }));
  const beforeThat = await findLastFinishes(
    trx,
    bounded.map(({ serviceId, from }) => ({ serviceId, moment: from })),
  );
  return [
    ...dirty
      .filter(({ since }) => since <= 0)
      .map(each => ({
        ...each,
        since: BEGINNING,
        from: BEGINNING,
        contextFrom: BEGINNING,
        isWhole: true,
      })),
    ...bounded.map(each => ({
      ...each,
      contextFrom: Math.min(
        each.from - incidentWindow,
        beforeThat.get(each.serviceId) ?? Infinity,
      ),
      isWhole: false,
    })),
  ];
}
