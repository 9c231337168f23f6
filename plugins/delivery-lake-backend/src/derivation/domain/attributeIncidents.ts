import { lastIndexBefore } from './lastIndexBefore';
import {
  Attribution,
  CountedDeployment,
  Incident,
  ServiceHistory,
} from './ServiceHistory';

/** Which deployment an incident is blamed on; none when nothing tells. */
export interface AttributedIncident {
  incident: Incident;
  deployment?: CountedDeployment;
  attribution?: Attribution;
}

/** The one that was in production when it began, and not for long. */
function guess(
  incident: Incident,
  { deployments, serviceId, incidentWindow }: ServiceHistory,
): CountedDeployment | undefined {
  if (incident.serviceId !== serviceId || incidentWindow === 0) {
    return undefined;
  }
  const index = lastIndexBefore(
    deployments,
    ({ finishedAt }) => finishedAt,
    incident.startedAt + 1,
  );
  const suspect = index < 0 ? undefined : deployments[index];
  return suspect && incident.startedAt - suspect.finishedAt <= incidentWindow
    ? suspect
    : undefined;
}

/**
 * Attributes every incident to one deployment at most: the one that it links to, or
 * else, among those of its own service, to a guess.
 */
export function attributeIncidents(
  history: ServiceHistory,
): AttributedIncident[] {
  return history.incidents.map(incident => {
    if (incident.linked) {
      return { incident, deployment: incident.linked, attribution: 'linked' };
    }
    const deployment = guess(incident, history);
    return deployment
      ? { incident, deployment, attribution: 'guessed' }
      : { incident };
  });
}
