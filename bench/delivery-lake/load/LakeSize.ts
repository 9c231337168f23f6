/** When the loaded history begins and ends, so that what is loaded can be used again. */
export const HISTORY_START = Date.UTC(2024, 10, 21);
export const HISTORY_END = Date.UTC(2026, 10, 21);

const SERVICES_PER_TEAM = 20;
/** The deployments of each service in two years. */
const DEPLOYMENTS_PER_SERVICE = 5_000;

/** How much a lake holds. */
export interface LakeSize {
  deployments: number;
  services: number;
  teams: number;
  /** The deployments of each service. */
  deploymentsPerService: number;
  /** Milliseconds from one slot for a deployment of a service to the next. */
  step: number;
}

/**
 * A lake of about so many deployments. A smaller one has fewer services and teams, each
 * as busy as in the large one: a question about one of them has the same answer to
 * give, and differs in what it lies among.
 */
export function lakeSize(deployments: number): LakeSize {
  const services = Math.max(
    SERVICES_PER_TEAM,
    Math.round(deployments / DEPLOYMENTS_PER_SERVICE),
  );
  const deploymentsPerService = Math.round(deployments / services);
  return {
    deployments: services * deploymentsPerService,
    services,
    teams: Math.ceil(services / SERVICES_PER_TEAM),
    deploymentsPerService,
    step: Math.floor((HISTORY_END - HISTORY_START) / deploymentsPerService),
  };
}
