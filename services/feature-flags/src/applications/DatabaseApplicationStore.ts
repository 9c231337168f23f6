import type { Database } from '@slipway/service-kit';
import type {
  Application,
  ApplicationStore,
  ClientInstance,
} from './ApplicationStore.ts';

interface ApplicationRow {
  app_name: string;
  instances: number | string;
  seen_at: number | string;
}

/** Instances in the service's database. */
export class DatabaseApplicationStore implements ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

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

  async purge(seenBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('client_instances').where('seen_at', '<', seenBefore).delete(),
    );
  }
}
