import {
  Change,
  CountedDeployment,
  lastIndexBefore,
  ServiceHistory,
} from './ServiceHistory';

/** A change that reached production for the first time. */
export interface Delivery {
  change: Change;
  deployment: CountedDeployment;
  /** The lead time in milliseconds; undefined if the commit time is missing or after the deployment. */
  leadTime?: number;
}

function leadTimeOf(
  { committedAt }: Change,
  { finishedAt }: CountedDeployment,
): number | undefined {
  return committedAt === undefined || committedAt > finishedAt
    ? undefined
    : finishedAt - committedAt;
}

/** Returns the changes with a position after `above`, up to `upTo`. */
function changesBetween(
  changes: Change[],
  above: number,
  upTo: number,
): Change[] {
  const positionOf = ({ position }: Change) => position;
  return changes.slice(
    lastIndexBefore(changes, positionOf, above + 1) + 1,
    lastIndexBefore(changes, positionOf, upTo + 1) + 1,
  );
}

/**
 * Determines which deployment since `since` delivered which change. A deployment that lists its
 * changes delivers those. Any other delivers the changes after the service's furthest earlier
 * commit, up to its own commit; or nothing if there is no earlier one.
 */
export function deliverChanges(history: ServiceHistory): Delivery[] {
  const reached = new Map(history.baselines);
  const delivered = new Set<number>();
  const deliveries: Delivery[] = [];

  const contentOf = (deployment: CountedDeployment): Change[] => {
    const { repositoryId, headPosition } = deployment;
    if (deployment.listsChanges) {
      return (history.listedChanges.get(deployment.id) ?? []).filter(
        each => each.position > (reached.get(each.repositoryId) ?? -Infinity),
      );
    }
    const base =
      repositoryId === undefined ? undefined : reached.get(repositoryId);
    return repositoryId === undefined ||
      base === undefined ||
      headPosition === undefined
      ? []
      : changesBetween(
          history.changes.get(repositoryId) ?? [],
          base,
          headPosition,
        );
  };

  for (const deployment of history.deployments) {
    const { finishedAt, repositoryId, headPosition } = deployment;
    if (finishedAt >= history.since) {
      for (const change of contentOf(deployment)) {
        if (!delivered.has(change.id) && !history.isDelivered(change.id)) {
          delivered.add(change.id);
          deliveries.push({
            change,
            deployment,
            leadTime: leadTimeOf(change, deployment),
          });
        }
      }
      if (repositoryId !== undefined && headPosition !== undefined) {
        reached.set(
          repositoryId,
          Math.max(headPosition, reached.get(repositoryId) ?? -Infinity),
        );
      }
    }
  }
  return deliveries;
}
