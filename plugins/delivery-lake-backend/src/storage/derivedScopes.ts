import type { Knex } from 'knex';
import { LocalDays } from '../days/localDays';
import { queryRows, recordTable, RecordTable } from './BatchSql';
import { DirtyService } from './marks';

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

// Deployments that one transaction may have to load: some hundred megabytes.
const DEPLOYMENTS_PER_BATCH = 60_000;
const SERVICES_PER_BATCH = 200;

/**
 * Divides marked services into batches of which each fits into memory and holds the
 * lock for no more than some seconds.
 */
export async function sizeBatches(
  knex: Knex,
  serviceIds: readonly number[],
): Promise<number[][]> {
  const earliest = await knex('dirty_marks')
    .whereIn('service_id', [...serviceIds])
    .groupBy('service_id')
    .select<{ service_id: number; moment: string | number | null }[]>(
      'service_id',
      // What a change concerns is not known yet: little, most often.
      knex.raw('MIN(since) AS moment'),
    );
  const list = momentTable(
    knex,
    earliest.flatMap(({ service_id: serviceId, moment }) =>
      moment === null ? [] : [{ serviceId, moment: Number(moment) }],
    ),
  );
  const rows = await queryRows<{
    service_id: number;
    deployments: string | number;
  }>(
    knex,
    `SELECT r.service_id, (
       SELECT COUNT(*) FROM deployments d
       WHERE d.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment
     ) AS deployments FROM ${list.sql}`,
    list.bindings,
  );
  const sizes = new Map(
    rows.map(row => [row.service_id, Number(row.deployments)]),
  );
  const batches: number[][] = [];
  let size = Infinity;
  for (const id of serviceIds) {
    const own = sizes.get(id) ?? 0;
    const batch = batches.at(-1);
    if (
      !batch ||
      batch.length === SERVICES_PER_BATCH ||
      size + own > DEPLOYMENTS_PER_BATCH
    ) {
      batches.push([id]);
      size = own;
    } else {
      batch.push(id);
      size += own;
    }
  }
  return batches;
}
