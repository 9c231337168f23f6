import type { ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from '../tokens/access.ts';
import { contextRoutes } from './contextRoutes.ts';
import { registerEnvironmentRoutes } from './environmentRoutes.ts';
import { projectRoutes } from './projectRoutes.ts';
import type {
  ContextFields,
  Environments,
  Projects,
  TagTypes,
} from './registers.ts';
import { tagTypeRoutes } from './tagTypeRoutes.ts';

/** Adds the routes of projects, environments, context fields and types of tags. */
export function registerRoutes(
  app: ServiceApp,
  options: {
    projects: Projects;
    environments: Environments;
    contextFields: ContextFields;
    tagTypes: TagTypes;
    /** The service's own environment, which the contract's routes change directly. */
    environment: string;
    access: FlagAccess;
  },
): void {
  projectRoutes(app, options);
  registerEnvironmentRoutes(app, options);
  contextRoutes(app, options);
  tagTypeRoutes(app, options);
}
