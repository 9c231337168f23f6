import type { ServiceClient, CallOptions } from '@slipway/app-react';
import { type ChangeRequest, sendChange } from './changeRequests';
import {
  type EnvironmentChange,
  type Flag,
  type FlagChanges,
  type FlagEnvironment,
  type FlagName,
  type ListedFlag,
  type NewFlag,
  type ReadFlag,
  type Strategy,
  environmentPath,
  featurePath,
  projectPath,
} from './flags';

/** Flags, and their states in environments. */
export interface FlagCalls {
  /** Lists the flags of all projects in all environments. */
  listFlags(
    query: { archived: boolean },
    options?: CallOptions,
  ): Promise<ListedFlag[]>;
  getFlag(name: string, options?: CallOptions): Promise<ReadFlag>;
  /** Reads the state of a flag in each environment, in the order of the environments. */
  getEnvironments(
    flag: FlagName,
    options?: CallOptions,
  ): Promise<FlagEnvironment[]>;
  /**
   * Changes the given parts of the state of a flag in one environment.
   *
   * @param change.etag - the entity tag of the state that was read; 412 if it has changed since.
   * @returns the change request that was created if the environment is protected.
   */
  changeEnvironment(
    flag: FlagName,
    change: EnvironmentChange,
  ): Promise<ChangeRequest | undefined>;
  /**
   * Creates a flag that is off.
   *
   * @param options.isAdmin - false for an owner of the project, who can create flags only there.
   */
  createFlag(flag: NewFlag, options: { isAdmin: boolean }): Promise<Flag>;
  /**
   * Changes the given settings of a flag.
   *
   * @param etag - the entity tag of the flag that was read; 412 if it has changed since.
   */
  updateFlag(name: string, changes: FlagChanges, etag?: string): Promise<Flag>;
  /** Moves a flag to another project, by its id. */
  moveFlag(flag: FlagName, project: string): Promise<void>;
  archiveFlag(name: string): Promise<Flag>;
  reviveFlag(name: string): Promise<Flag>;
}

/** {@link FlagCalls} of the service. */
export function flagCalls(admin: ServiceClient): FlagCalls {
  return {
    async listFlags(query, options) {
      const { features } = await admin.json<{ features: ListedFlag[] }>(
        '/search/features',
        { ...options, query },
      );
      return features;
    },

    async getFlag(name, options) {
      const response = await admin.send(featurePath(name), options);
      const etag = response.headers.get('etag') ?? undefined;
      return { ...(await response.json()), etag };
    },

    async getEnvironments(flag, options) {
      const { environments } = await admin.json<{
        environments: FlagEnvironment[];
      }>(projectPath(flag), options);
      return environments;
    },

    async changeEnvironment(flag, { environment, etag, ...body }) {
      return sendChange(admin, environmentPath(flag, environment), {
        method: 'PATCH',
        body: {
          ...body,
          ...(body.strategies && { strategies: body.strategies.map(sent) }),
        },
        ifMatch: etag,
      });
    },

    createFlag(flag, { isAdmin }) {
      const path = isAdmin
        ? '/features'
        : `/projects/${encodeURIComponent(flag.project)}/features`;
      return admin.json(path, { method: 'POST', body: flag });
    },

    updateFlag(name, changes, etag) {
      return admin.json(featurePath(name), {
        method: 'PATCH',
        body: changes,
        ifMatch: etag,
      });
    },

    async moveFlag(flag, project) {
      await admin.send(`${projectPath(flag)}/changeProject`, {
        method: 'POST',
        body: { newProjectId: project },
      });
    },

    archiveFlag(name) {
      return admin.json(featurePath(name), { method: 'DELETE' });
    },

    reviveFlag(name) {
      return admin.json(`/archive/revive/${encodeURIComponent(name)}`, {
        method: 'POST',
      });
    },
  };
}

/** Formats a rule for a request: without its sort order, which is its index in the list. */
export function sent(strategy: Strategy): object {
  const { id, name, title, disabled, parameters } = strategy;
  const { constraints, segments, variants } = strategy;
  return {
    ...(id !== undefined && { id }),
    name,
    ...(title && { title }),
    ...(disabled && { disabled }),
    parameters,
    ...(constraints?.length && { constraints }),
    ...(segments?.length && { segments }),
    ...(variants?.length && { variants }),
  };
}
