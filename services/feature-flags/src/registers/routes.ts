import type { ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from '../tokens/access.ts';
import { contextRoutes } from './contextRoutes.ts';
import { registerEnvironmentRoutes } from './environmentRoutes.ts';
import { projectRoutes } from './projectRoutes.ts';
import type { Registers } from './registers.ts';
import { tagTypeRoutes } from './tagTypeRoutes.ts';

/** Adds the routes of projects, environments, context fields and types of tags. */
export function registerRoutes(
  app: ServiceApp,
  options: { registers: Registers; environment: string; access: FlagAccess },
): void {
  const { registers, environment, access } = options;
  const { projects, environments, contextFields, tagTypes } = registers;
  projectRoutes(app, { projects, access });
  registerEnvironmentRoutes(app, { environments, environment, access });
  contextRoutes(app, { contextFields, access });
  tagTypeRoutes(app, { tagTypes, access });
}
