import type { Static, TObject } from 'typebox';
import type { ErrorFormat } from '../errors/index.ts';
import type { HealthFormat } from '../health/index.ts';
import type { CommonConfig } from '../config/CommonConfig.ts';
import type { ServiceKit } from './ServiceKit.ts';

/** The configuration of a service: its own keys and those that all have. */
export type ConfigOf<S extends TObject> = Static<S> & CommonConfig;

/** All that makes a service one of its own. */
export interface ServiceDefinition<S extends TObject = TObject> {
  /** Lower-case with hyphens: in logs, traces and file names. */
  name: string;
  /** The title of the OpenAPI description, for people. */
  title: string;
  /** Top-level key of its section of the configuration. */
  configKey: string;
  /** What its section holds beside the keys that all services have. */
  configSchema: S;
  /** What the configuration may leave out. */
  defaults: {
    /** To listen on. */
    port: number;
    /** Requests of one credential in a minute. */
    perMinute: number;
    /** Bytes of a body whose sender is known; 1 MiB when left out. */
    bodyLimit?: number;
  };
  /**
   * Whether each path is also taken with a slash at its end, as clients write it whose
   * server does so; two paths that differ by nothing else are then one.
   */
  ignoreTrailingSlash?: boolean;
  /** How its errors are worded. */
  errors: ErrorFormat;
  /** Directory of its migrations. */
  migrations?: URL;
  /** Body of `/health`, where the contract asks for another than the kit's. */
  health?: HealthFormat;
  /** Registers its routes and starts what it needs, on a migrated database. */
  setUp(kit: ServiceKit<ConfigOf<S>>): void | Promise<void>;
}

/** Types a definition by its own configuration schema. */
export function defineService<S extends TObject>(
  definition: ServiceDefinition<S>,
): ServiceDefinition<S> {
  return definition;
}
