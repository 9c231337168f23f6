import type { ServiceApp } from '@slipway/service-kit';
import type { ChangeRequests } from '../approval/ChangeRequests.ts';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import { environmentRoutes } from './environmentRoutes.ts';
import { type FeatureRouteOptions, featureRoutes } from './featureRoutes.ts';
import { moveRoute } from './moveRoute.ts';
import { relationRoutes } from './relationRoutes.ts';
import { flagRoutes } from './routes.ts';
import { strategyRoutes } from './strategyRoutes.ts';
import { tagRoutes } from './tagRoutes.ts';

/**
 * Adds the routes that create, read and change flags: those of the contract, for the service's own
 * environment, and those of Unleash's admin API, for all environments.
 */
export function flagAdminRoutes(
  app: ServiceApp,
  options: FeatureRouteOptions & {
    requests: ChangeRequests;
    owners: ProjectOwners;
  },
): void {
  flagRoutes(app, options);
  featureRoutes(app, options);
  relationRoutes(app, options);
  moveRoute(app, options);
  environmentRoutes(app, options);
  strategyRoutes(app, options);
  tagRoutes(app, options);
}
