import type { Knex } from 'knex';
import { Scope, StoredDeployment } from '../derivation/compareDerived';
import {
  Change,
  DURATION_KIND,
  ServiceHistory,
} from '../derivation/ServiceHistory';
import {
  type BigInteger,
  momentTable,
  optionalNumber,
  queryRows,
  recordTable,
  type ServiceMoment,
} from './BatchSql';
import { loadBaselines } from './derivedDeployments';

interface ChangeRow {
  id: BigInteger;
  repository_id: number;
  committed_at: BigInteger | null;
  position: BigInteger;
}

/** A range of positions in a repository: after `above`, up to and including `upTo`. */
interface ChangeRange {
  repositoryId: number;
  above: number;
  upTo: number;
}

const COLUMNS = 'c.id, c.repository_id, c.committed_at, c.position';
const RANGE = {
  service_id: 'integer',
  repository_id: 'integer',
  above: 'bigint',
  up_to: 'bigint',
} as const;

function toChange(row: ChangeRow): Change {
  return {
    id: Number(row.id),
    repositoryId: row.repository_id,
    committedAt: optionalNumber(row.committed_at),
    position: Number(row.position),
  };
}

/** Loads the changes of ranges, in order of position, by repository. */
async function loadChanges(
  trx: Knex.Transaction,
  ranges: readonly ChangeRange[],
): Promise<Map<number, Change[]>> {
  const list = recordTable(
    trx,
    'r',
    RANGE,
    ranges.map(({ repositoryId, above, upTo }) => ({
      repository_id: repositoryId,
      above,
      up_to: upTo,
    })),
  );
  const rows = await queryRows<ChangeRow>(
    trx,
    `SELECT ${COLUMNS} FROM ${list.sql} CROSS JOIN changes c
     WHERE c.repository_id = r.repository_id
       AND c.position > r.above AND c.position <= r.up_to`,
    list.bindings,
  );
  const changes = rows
    .map(toChange)
    .sort((a, b) => a.position - b.position || a.id - b.id);
  return Map.groupBy(changes, ({ repositoryId }) => repositoryId);
}

/**
 * Loads, by deployment, the changes that deployments since a moment list, and those of their
 * commits.
 */
async function loadListedChanges(
  trx: Knex.Transaction,
  moments: readonly ServiceMoment[],
): Promise<Map<number, Change[]>> {
  const list = momentTable(trx, moments);
  const listing = `FROM ${list.sql} CROSS JOIN deployments d`;
  const since =
    'd.counted = 1 AND d.service_id = r.service_id AND d.finished_at >= r.moment AND d.lists_changes = 1';
  const rows = await queryRows<ChangeRow & { deployment_id: BigInteger }>(
    trx,
    `SELECT d.id AS deployment_id, ${COLUMNS} ${listing}
       CROSS JOIN deployment_changes l CROSS JOIN changes c
     WHERE ${since} AND l.deployment_id = d.id
       AND c.repository_id = l.repository_id AND c.sha = l.sha
     UNION
     SELECT d.id AS deployment_id, ${COLUMNS} ${listing} CROSS JOIN changes c
     WHERE ${since} AND c.repository_id = d.repository_id AND c.sha = d.commit_sha`,
    [...list.bindings, ...list.bindings],
  );
  const byDeployment = Map.groupBy(rows, row => Number(row.deployment_id));
  return new Map(
    [...byDeployment].map(([id, own]) => [id, own.map(toChange)] as const),
  );
}

/** Reads which candidate changes a service delivered before a moment, as keys `service change`. */
async function loadDelivered(
  trx: Knex.Transaction,
  candidates: readonly {
    serviceId: number;
    changeId: number;
    before: number;
  }[],
): Promise<Set<string>> {
  if (candidates.length === 0) {
    return new Set();
  }
  const list = recordTable(
    trx,
    'r',
    { service_id: 'integer', change_id: 'bigint', moment: 'bigint' },
    candidates.map(({ serviceId, changeId, before }) => ({
      service_id: serviceId,
      change_id: changeId,
      moment: before,
    })),
  );
  const rows = await queryRows<{
    service_id: number;
    subject_id: BigInteger;
  }>(
    trx,
    `SELECT d.service_id, d.subject_id FROM ${list.sql} CROSS JOIN durations d
     WHERE d.kind = ${DURATION_KIND.lead} AND d.service_id = r.service_id AND d.subject_id = r.change_id
       AND d.ended_at < r.moment`,
    list.bindings,
  );
  return new Set(
    rows.map(row => `${row.service_id} ${Number(row.subject_id)}`),
  );
}

/** The part of a history that deliveries are derived from. */
type DeliveryInputs = Pick<
  ServiceHistory,
  'baselines' | 'changes' | 'listedChanges' | 'isDelivered'
>;

/** Finds the changes that deployments of a service since `since` can contain. */
function findRanges(
  deployments: readonly StoredDeployment[],
  baselines: ReadonlyMap<number, number>,
): ChangeRange[] {
  const ranges = new Map<number, ChangeRange>();
  for (const { repositoryId, headPosition } of deployments) {
    if (repositoryId !== undefined && headPosition !== undefined) {
      const known = ranges.get(repositoryId);
      ranges.set(repositoryId, {
        repositoryId,
        // Without a baseline, the first deployment becomes the baseline.
        above: known?.above ?? baselines.get(repositoryId) ?? headPosition,
        upTo: Math.max(headPosition, known?.upTo ?? -Infinity),
      });
    }
  }
  return [...ranges.values()].filter(({ above, upTo }) => above < upTo);
}

/** Combines the ranges of all services into one per repository. */
function joinRanges(ranges: readonly ChangeRange[]): ChangeRange[] {
  const joined = new Map<number, ChangeRange>();
  for (const { repositoryId, above, upTo } of ranges) {
    const known = joined.get(repositoryId);
    joined.set(repositoryId, {
      repositoryId,
      above: Math.min(above, known?.above ?? Infinity),
      upTo: Math.max(upTo, known?.upTo ?? -Infinity),
    });
  }
  return [...joined.values()];
}

function isWithin({ above, upTo }: ChangeRange, { position }: Change) {
  return above < position && position <= upTo;
}

/**
 * Loads the inputs for deliveries since each scope's `since`.
 *
 * @param deployments - by service, in order, including earlier ones.
 */
export async function loadDeliveries(
  trx: Knex.Transaction,
  scopes: readonly Scope[],
  deployments: ReadonlyMap<number, StoredDeployment[]>,
): Promise<Map<number, DeliveryInputs>> {
  const listedChanges = await loadListedChanges(
    trx,
    scopes.map(({ serviceId, since }) => ({ serviceId, moment: since })),
  );
  const fresh = new Map(
    scopes.map(({ serviceId, since }) => [
      serviceId,
      (deployments.get(serviceId) ?? []).filter(
        ({ finishedAt }) => finishedAt >= since,
      ),
    ]),
  );
  const repositories = scopes.flatMap(({ serviceId, since }) => {
    const own = fresh.get(serviceId) ?? [];
    const ids = new Set([
      ...own.flatMap(({ repositoryId }) => repositoryId ?? []),
      ...own.flatMap(({ id }) =>
        (listedChanges.get(id) ?? []).map(each => each.repositoryId),
      ),
    ]);
    return [...ids].map(repositoryId => ({
      serviceId,
      repositoryId,
      before: since,
    }));
  });
  const reached = Map.groupBy(
    await loadBaselines(trx, repositories),
    ({ serviceId }) => serviceId,
  );
  const baselinesOf = (serviceId: number) =>
    new Map(
      (reached.get(serviceId) ?? []).map(each => [
        each.repositoryId,
        each.position,
      ]),
    );
  const ranges = new Map(
    scopes.map(({ serviceId }) => [
      serviceId,
      findRanges(fresh.get(serviceId) ?? [], baselinesOf(serviceId)),
    ]),
  );
  const changes = await loadChanges(
    trx,
    joinRanges([...ranges.values()].flat()),
  );

  const candidates = scopes
    .filter(({ isWhole }) => !isWhole)
    .flatMap(({ serviceId, since }) => {
      const contained = [
        ...(ranges.get(serviceId) ?? []).flatMap(range =>
          (changes.get(range.repositoryId) ?? []).filter(change =>
            isWithin(range, change),
          ),
        ),
        ...(fresh.get(serviceId) ?? []).flatMap(
          ({ id }) => listedChanges.get(id) ?? [],
        ),
      ];
      return contained.map(({ id: changeId }) => ({
        serviceId,
        changeId,
        before: since,
      }));
    });
  const delivered = await loadDelivered(trx, candidates);

  return new Map(
    scopes.map(({ serviceId }) => [
      serviceId,
      {
        baselines: baselinesOf(serviceId),
        changes,
        listedChanges,
        isDelivered: changeId => delivered.has(`${serviceId} ${changeId}`),
      },
    ]),
  );
}
