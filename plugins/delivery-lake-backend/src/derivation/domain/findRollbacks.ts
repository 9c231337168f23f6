import { lastIndexBefore } from './lastIndexBefore';
import { ServiceHistory } from './ServiceHistory';

/**
 * When deployments were rolled back, by id: by a deployment that names them, or by
 * one that rolls back whatever finished last before it. The first one tells.
 */
export function findRollbacks({
  deployments,
  rollbacks,
}: ServiceHistory): Map<number, number> {
  const rolledBackAt = new Map<number, number>();
  const add = (id: number, finishedAt: number) =>
    rolledBackAt.set(
      id,
      Math.min(finishedAt, rolledBackAt.get(id) ?? Infinity),
    );
  for (const { deploymentId, finishedAt } of rollbacks) {
    add(deploymentId, finishedAt);
  }
  for (const { rollbackOf, finishedAt } of deployments) {
    if (rollbackOf === '') {
      const before = lastIndexBefore(
        deployments,
        each => each.finishedAt,
        finishedAt,
      );
      if (before >= 0) {
        add(deployments[before].id, finishedAt);
      }
    }
  }
  return rolledBackAt;
}
