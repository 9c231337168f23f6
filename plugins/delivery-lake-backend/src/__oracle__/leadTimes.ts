import { ChangeRecord, DeploymentRecord, Records } from './records';

/** A change with the deployment that first brought it to production. */
export interface Delivery {
  service: string;
  /** Time at which its deployment finished. */
  at: number;
  /** The lead time in milliseconds; undefined if the commit time is missing or implausible. */
  leadTime?: number;
}

function isNotAfter(change: ChangeRecord, head: ChangeRecord): boolean {
  return change.landedAt === head.landedAt
    ? change.sequence <= head.sequence
    : change.landedAt < head.landedAt;
}

function leadTimeOf(change: ChangeRecord, deployment: DeploymentRecord) {
  return change.committedAt === undefined ||
    change.committedAt > deployment.finishedAt
    ? undefined
    : deployment.finishedAt - change.committedAt;
}

/** Returns the deliveries of one service from one repository. */
function deliver(
  deployments: DeploymentRecord[],
  changes: ChangeRecord[],
): Delivery[] {
  const delivered = new Set<ChangeRecord>();
  const deliveries: Delivery[] = [];
  // True if an earlier deployment reports the repository's previous position.
  let comparable = false;
  for (const deployment of deployments) {
    const head = changes.find(({ sha }) => sha === deployment.sha);
    const upToHead = changes.filter(
      change => head !== undefined && isNotAfter(change, head),
    );
    const lists = deployment.changes.length > 0;
    const contained = lists
      ? changes.filter(
          change => change === head || deployment.changes.includes(change.sha),
        )
      : upToHead;
    if (lists || comparable) {
      for (const change of contained) {
        if (!delivered.has(change)) {
          deliveries.push({
            service: deployment.service,
            at: deployment.finishedAt,
            leadTime: leadTimeOf(change, deployment),
          });
        }
      }
    }
    [...contained, ...upToHead].forEach(change => delivered.add(change));
    comparable ||= head !== undefined;
  }
  return deliveries;
}

/**
 * Returns each change with the deployment that first brought it to production; `leadTime` is
 * undefined if the commit time is missing or later than the deployment.
 */
export function findDeliveries({ deployments, changes }: Records): Delivery[] {
  const counted = deployments
    .filter(deployment => deployment.counted)
    .sort((a, b) => a.finishedAt - b.finishedAt);
  const deliveries: Delivery[] = [];
  for (const service of new Set(counted.map(each => each.service))) {
    for (const repository of new Set(counted.map(each => each.repository))) {
      deliveries.push(
        ...deliver(
          counted.filter(
            each => each.service === service && each.repository === repository,
          ),
          changes.filter(change => change.repository === repository),
        ),
      );
    }
  }
  return deliveries;
}
