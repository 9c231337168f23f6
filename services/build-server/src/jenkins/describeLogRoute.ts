import type { Permissions } from '../access/Permissions.ts';
import type { BuildLogs } from '../logs/BuildLogs.ts';
import type { BuildLookup } from './BuildLookup.ts';
import { BuildParams } from './schemas.ts';

/** Dependencies of the routes that return logs. */
export interface LogRouteOptions {
  permissions: Permissions;
  lookup: BuildLookup;
  logs: BuildLogs;
}

/** Returns the schema that all routes of the log of a build share. */
export function describeLogRoute(summary: string) {
  return { tags: ['logs'], summary, params: BuildParams };
}
