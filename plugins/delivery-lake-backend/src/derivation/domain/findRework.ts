import { lastIndexBefore } from './lastIndexBefore';
import { mergeOutages } from './mergeOutages';
import { CountedDeployment, Incident, ReworkCause } from './ServiceHistory';

/**
 * Why deployments were made to repair production, by id, of those that were.
 *
 * @param incidents - production incidents of the service, all that were open at the
 * start of one of the deployments.
 */
export function findRework(
  deployments: readonly CountedDeployment[],
  incidents: readonly Incident[],
): Map<number, ReworkCause> {
  const outages = mergeOutages(incidents);
  const isOutAt = (moment: number) => {
    const index = lastIndexBefore(outages, each => each.startedAt, moment + 1);
    return index >= 0 && moment < outages[index].endedAt;
  };
  const causes = new Map<number, ReworkCause>();
  for (const { id, unplanned, rollbackOf, startedAt } of deployments) {
    if (unplanned) {
      causes.set(id, 'declared');
    } else if (rollbackOf !== undefined) {
      causes.set(id, 'rollback');
    } else if (isOutAt(startedAt)) {
      causes.set(id, 'guess');
    }
  }
  return causes;
}
