import type { Database } from '@slipway/service-kit';

/** A process that asks for flags, as it describes itself. Times in milliseconds. */
export interface ClientInstance {
  readonly appName: string;
  readonly instanceId: string;
  readonly environment: string;
  /** e.g. `unleash-node-sdk:6.12.1`. */
  readonly sdkVersion: string | null;
  /** Names of the strategies that it can evaluate. */
  readonly strategies: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** Between two reports of usage. */
  readonly intervalMs: number;
  readonly seenAt: number;
}

/** An application: all instances of one name. Times in milliseconds. */
export interface Application {
  readonly appName: string;
  readonly instances: number;
  readonly sdkVersions: readonly string[];
  readonly seenAt: number;
}

/** The instances of an application that use one version of an SDK in an environment. */
export interface SdkUse {
  /** e.g. `unleash-node-sdk:6.12.1`. */
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

/** Keeps the applications that ask for flags in the service's database. */
export class ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves once it is on disk; an instance that registers again takes its own place. */
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

  /** Lists applications, those seen last first. */
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

  /** Lists who uses which version of an SDK, by application and environment. */
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

  /** Deletes instances that were last seen before a moment. @returns how many. */
  async purge(seenBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('client_instances').where('seen_at', '<', seenBefore).delete(),
    );
  }
}
