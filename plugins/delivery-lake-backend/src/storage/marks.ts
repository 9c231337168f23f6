import type { Knex } from 'knex';
import { DirtyService, Echo } from '../derivation/compareDerived';
import { BatchSql, type BigInteger, queryRows, recordTable } from './BatchSql';
import { DeploymentRow, DeploymentShift } from './deployments';

const COLUMNS = {
  service_id: 'integer',
  since: 'bigint',
  repository_id: 'integer',
  position: 'bigint',
} as const;

interface Mark {
  service_id: number;
  since: number | null;
  repository_id: number | null;
  position: number | null;
}

/**
 * Collects what has to be derived again after a transaction: for each service, the earliest
 * affected moment. Rows are only appended; a derivation removes the marks that it has read.
 */
export class DirtyMarks {
  readonly #since = new Map<number, number>();
  readonly #positions = new Map<string, Mark>();

  /** Marks a service from a moment on; does nothing without a moment or a service. */
  since(serviceId: number | null, moment: number | null): void {
    if (serviceId !== null && moment !== null) {
      const known = this.#since.get(serviceId) ?? moment;
      this.#since.set(serviceId, Math.min(known, moment));
    }
  }

  /** Marks a service from its first deployment whose head is at this position or later. */
  from(serviceId: number, repositoryId: number, position: number): void {
    const key = `${serviceId} ${repositoryId}`;
    const known = this.#positions.get(key)?.position ?? position;
    this.#positions.set(key, {
      service_id: serviceId,
      since: null,
      repository_id: repositoryId,
      position: Math.min(known, position),
    });
  }

  /** Appends the marks. @returns whether there were any. */
  async write(sql: BatchSql): Promise<boolean> {
    const rows: Mark[] = [...this.#since].map(([service_id, since]) => ({
      service_id,
      since,
      repository_id: null,
      position: null,
    }));
    rows.push(...this.#positions.values());
    await sql.insert({ table: 'dirty_marks', columns: COLUMNS, rows });
    return rows.length > 0;
  }
}

const SENDER_KEY = { source: 'text', external_id: 'text' } as const;
const MOMENT = { service_id: 'integer', finished_at: 'bigint' } as const;

/**
 * Marks the services of deployments, before and after the change, and those of the deployments they
 * roll back.
 */
export async function markDeployments(options: {
  sql: BatchSql;
  marks: DirtyMarks;
  shifts: DeploymentShift[];
}): Promise<void> {
  const { sql, marks, shifts } = options;
  const rolledBack: { source: string; external_id: string }[] = [];
  const note = (row: DeploymentRow | undefined, since: number) => {
    if (row?.counted) {
      marks.since(row.service_id, since);
    }
    if (row?.rollback_of) {
      rolledBack.push({ source: row.source, external_id: row.rollback_of });
    }
  };
  for (const { before, after } of shifts) {
    const since = Math.min(
      (before?.counted && before.finished_at) || Infinity,
      (after?.counted && after.finished_at) || Infinity,
    );
    note(before, since);
    note(after, since);
  }
  if (rolledBack.length > 0) {
    const targets = await sql.select(
      MOMENT,
      `SELECT d.service_id, d.finished_at
       FROM ${sql.batch('r', SENDER_KEY)} CROSS JOIN deployments d
       WHERE d.source = r.source AND d.external_id = r.external_id`,
      rolledBack,
    );
    for (const { service_id, finished_at } of targets) {
      marks.since(service_id, finished_at);
    }
  }
}

interface MarkRow {
  service_id: number;
  since: BigInteger | null;
  repository_id: number | null;
  position: BigInteger | null;
  echo: number;
}

const SERVICES = { service_id: 'integer' } as const;

function toServiceRecords(serviceIds: readonly number[]) {
  return serviceIds.map(id => ({ service_id: id }));
}

/** Returns whether there are marks of these services, or of any service by default. */
export async function hasMarks(
  knex: Knex,
  serviceIds?: readonly number[],
): Promise<boolean> {
  if (!serviceIds) {
    return (await knex('dirty_marks').first('id')) !== undefined;
  }
  const list = recordTable(knex, 'r', SERVICES, toServiceRecords(serviceIds));
  const rows = await queryRows(
    knex,
    `SELECT 1 FROM ${list.sql} WHERE EXISTS (SELECT 1 FROM dirty_marks m WHERE m.service_id = r.service_id) LIMIT 1`,
    list.bindings,
  );
  return rows.length > 0;
}

/** Returns the id of the newest mark; 0 if there are none. */
export async function findLastMark(knex: Knex): Promise<number> {
  const row = await knex('dirty_marks').max({ id: 'id' }).first();
  return Number(row?.id ?? 0);
}

/**
 * Finds the next services with marks, in order.
 *
 * @param lastMark - later marks, except echoes, are left to the next drain.
 */
export async function findMarkedServices(
  knex: Knex,
  options: {
    after: number;
    lastMark: number;
    limit: number;
    serviceIds?: readonly number[];
  },
): Promise<number[]> {
  const { after, lastMark, limit, serviceIds } = options;
  const query = knex('dirty_marks')
    .distinct('service_id')
    .where('service_id', '>', after)
    .where(old => old.where('id', '<=', lastMark).orWhere('echo', 1))
    .orderBy('service_id')
    .limit(limit);
  if (serviceIds) {
    const list = recordTable(knex, 'r', SERVICES, toServiceRecords(serviceIds));
    query.whereRaw(
      `service_id IN (SELECT r.service_id FROM ${list.sql})`,
      list.bindings,
    );
  }
  const rows: { service_id: number }[] = await query;
  return rows.map(row => row.service_id);
}

/**
 * Removes the marks of services, and returns these services with the earliest marked moment of
 * each. Called at the start of the transaction that derives them, so that events ingested from then
 * on add new marks.
 */
export async function takeMarks(
  trx: Knex.Transaction,
  serviceIds: readonly number[],
): Promise<DirtyService[]> {
  const list = recordTable(trx, 'r', SERVICES, toServiceRecords(serviceIds));
  const rows = await queryRows<MarkRow>(
    trx,
    `DELETE FROM dirty_marks WHERE service_id IN (SELECT r.service_id FROM ${list.sql}) RETURNING service_id, since, repository_id, position, echo`,
    list.bindings,
  );
  const positions = rows.filter(row => row.position !== null);
  const moments = rows
    .filter(row => row.since !== null)
    .concat(await findDeliveryTimes(trx, positions));

  const dirty = new Map<number, DirtyService>();
  for (const { service_id: serviceId, since, echo } of moments) {
    const known = dirty.get(serviceId);
    dirty.set(serviceId, {
      serviceId,
      since: Math.min(Number(since), known?.since ?? Infinity),
      isFirstHand: echo === 0 || (known?.isFirstHand ?? false),
    });
  }
  return [...dirty.values()];
}

/**
 * Finds the moment from which a change affects a service: its first deployment that can contain the
 * change.
 */
async function findDeliveryTimes(
  trx: Knex.Transaction,
  marks: MarkRow[],
): Promise<MarkRow[]> {
  if (marks.length === 0) {
    return [];
  }
  const list = recordTable(
    trx,
    'r',
    { service_id: 'integer', repository_id: 'integer', position: 'bigint' },
    lowestPositions(marks).map(({ service_id, repository_id, position }) => ({
      service_id,
      repository_id,
      position,
    })),
  );
  const rows = await queryRows<MarkRow>(
    trx,
    `SELECT r.service_id, (
       SELECT MIN(d.finished_at) FROM deployments d
       WHERE d.counted = 1 AND d.head_position IS NOT NULL
         AND d.service_id = r.service_id AND d.repository_id = r.repository_id
         AND d.head_position >= r.position
     ) AS since, 0 AS echo FROM ${list.sql}`,
    list.bindings,
  );
  return rows.filter(row => row.since !== null);
}

/** Reduces marks to the lowest position per service and repository. */
function lowestPositions(marks: MarkRow[]): MarkRow[] {
  const lowest = new Map<string, MarkRow>();
  for (const mark of marks) {
    const key = `${mark.service_id} ${mark.repository_id}`;
    const known = lowest.get(key);
    if (!known || Number(mark.position) < Number(known.position)) {
      lowest.set(key, mark);
    }
  }
  return [...lowest.values()];
}

/** Marks other services with echoes. */
export async function markEchoes(
  trx: Knex.Transaction,
  echoes: readonly Echo[],
): Promise<void> {
  if (echoes.length === 0) {
    return;
  }
  const list = recordTable(
    trx,
    'r',
    { serviceid: 'integer', since: 'bigint' },
    echoes.map(({ serviceId, since }) => ({ serviceid: serviceId, since })),
  );
  await trx.raw(
    `INSERT INTO dirty_marks (service_id, since, echo) SELECT r.serviceid, r.since, 1 FROM ${list.sql}`,
    list.bindings,
  );
}
