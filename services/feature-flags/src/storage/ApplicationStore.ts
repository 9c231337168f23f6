import type { Database } from '@slipway/service-kit';

/** An instance of an application, as it registered. Times are in milliseconds. */
export interface ClientInstance {
  readonly appName: string;
  readonly instanceId: string;
  readonly environment: string;
  /** Name and version, e.g. `unleash-node-sdk:6.12.1`. */
  readonly sdkVersion: string | null;
  /** Names of the strategies that it can evaluate. */
  readonly strategies: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The interval between two reports of usage. */
  readonly intervalMs: number;
  readonly seenAt: number;
}

/** An application: all instances with one name. Times are in milliseconds. */
export interface Application {
  readonly appName: string;
  readonly instances: number;
  readonly sdkVersions: readonly string[];
  readonly seenAt: number;
}

/** The instances of an application that use one version of an SDK in an environment. */
export interface SdkUse {
  /** Name and version, e.g. `unleash-node-sdk:6.12.1`. */
  readonly sdkVersion: string;
  readonly appName: string;
  readonly environment: string;
  readonly instances: number;
  /** Milliseconds since the Unix epoch. */
  readonly seenAt: number;
}

interface SdkUseRow extends ApplicationRow {
  sdk_version: string;
  environment: string;
}

interface ApplicationRow {
  app_name: string;
  instances: number | string;
  seen_at: number | string;
}

/** Stores the applications that use flags in the service's database. */
export class ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves once it is committed; an instance that registers again replaces its record. */
  async register(instance: ClientInstance): Promise<void> {
    await this.#database.transaction(trx =>
      trx('client_instances')
        .insert({
          app_name: instance.appName,
          instance_id: instance.instanceId,
          environment: instance.environment,
          sdk_version: instance.sdkVersion,
          strategies: JSON.stringify(instance.strategies),
          started_at: instance.startedAt,
          interval_ms: instance.intervalMs,
          seen_at: instance.seenAt,
        })
        .onConflict(['app_name', 'instance_id', 'environment'])
        .merge(),
    );
  }

  /** Lists applications, most recently seen first. */
  async list(limit: number): Promise<Application[]> {
    const rows = await this.#database
      .knex('client_instances')
      .groupBy('app_name')
      .count({ instances: '*' })
      .max({ seen_at: 'seen_at' })
      .orderBy('seen_at', 'desc')
      .limit(limit)
      .select<ApplicationRow[]>('app_name');
    const versions: { app_name: string; sdk_version: string }[] =
      await this.#database
        .knex('client_instances')
        .distinct('app_name', 'sdk_version')
        .whereNotNull('sdk_version')
        .whereIn(
          'app_name',
          rows.map(row => row.app_name),
        )
        .orderBy('sdk_version');
    return rows.map(row => ({
      appName: row.app_name,
      instances: Number(row.instances),
      sdkVersions: versions
        .filter(({ app_name }) => app_name === row.app_name)
        .map(({ sdk_version }) => sdk_version),
      seenAt: Number(row.seen_at),
    }));
  }

  /** Lists the SDK versions in use, by application and environment. */
  async sdkUses(): Promise<SdkUse[]> {
    const rows = await this.#database
      .knex('client_instances')
      .whereNotNull('sdk_version')
      .groupBy('sdk_version', 'app_name', 'environment')
      .count({ instances: '*' })
      .max({ seen_at: 'seen_at' })
      .orderBy(['app_name', 'environment', 'sdk_version'])
      .select<SdkUseRow[]>('sdk_version', 'app_name', 'environment');
    return rows.map(row => ({
      sdkVersion: row.sdk_version,
      appName: row.app_name,
      environment: row.environment,
      instances: Number(row.instances),
      seenAt: Number(row.seen_at),
    }));
  }

  /** Deletes instances last seen before a time. @returns the number of deleted records. */
  async purge(seenBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('client_instances').where('seen_at', '<', seenBefore).delete(),
    );
  }
}
