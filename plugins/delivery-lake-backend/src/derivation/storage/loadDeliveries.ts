import type { Knex } from 'knex';
import { groupBy } from '../domain/groupBy';
import { Change, ServiceHistory } from '../domain/ServiceHistory';
import {
  ChangeRange,
  loadBaselines,
  loadChanges,
  loadDelivered,
  loadListedChanges,
} from './changeRows';
import { StoredDeployment } from './deploymentRows';
import { Scope } from './scopes';

/** The part of a history that deliveries follow from. */
export type DeliveryInputs = Pick<
  ServiceHistory,
  'baselines' | 'changes' | 'listedChanges' | 'isDelivered'
>;

/** Which changes the deployments of a service since `since` can contain. */
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
        // Without a baseline the first deployment is one.
        above: known?.above ?? baselines.get(repositoryId) ?? headPosition,
        upTo: Math.max(headPosition, known?.upTo ?? -Infinity),
      });
    }
  }
  return [...ranges.values()].filter(({ above, upTo }) => above < upTo);
}

/** One range per repository that covers those of all services. */
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
 * Loads what deliveries since each scope's `since` follow from.
 *
 * @param deployments - by service, in order, also earlier ones.
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
  const reached = groupBy(
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
