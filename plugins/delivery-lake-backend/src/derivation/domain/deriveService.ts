import { AttributedIncident, attributeIncidents } from './attributeIncidents';
import { deliverChanges, Delivery } from './deliverChanges';
import { findFailures, Verdict } from './findFailures';
import { findRework } from './findRework';
import { findRollbacks } from './findRollbacks';
import { mergeOutages, Outage } from './mergeOutages';
import { ReworkCause, ServiceHistory } from './ServiceHistory';

/** What follows from a history. */
export interface DerivedService {
  incidents: AttributedIncident[];
  /** Of the targets and the deployments since `from`. */
  verdicts: Verdict[];
  /** By id, of the deployments since `from`: nothing later touches those before it. */
  rework: ReadonlyMap<number, ReworkCause>;
  outages: Outage[];
  /** Since `since`. */
  deliveries: Delivery[];
}

/** Derives one service by the definitions of the plugin's README. */
export function deriveService(history: ServiceHistory): DerivedService {
  const incidents = attributeIncidents(history);
  return {
    incidents,
    verdicts: findFailures(history, incidents, findRollbacks(history)),
    rework: findRework(
      history.deployments.filter(
        ({ finishedAt }) => finishedAt >= history.from,
      ),
      history.outageIncidents,
    ),
    outages: mergeOutages(history.outageIncidents),
    deliveries: deliverChanges(history),
  };
}
