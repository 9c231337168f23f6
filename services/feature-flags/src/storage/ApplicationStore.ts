import type { Knex } from 'knex';
import {
  chunksOf,
  type Database,
  type Transaction,
} from '@slipway/service-kit';

/** Identifies an instance of an application. */
export interface InstanceKey {
  readonly appName: string;
  readonly instanceId: string;
  readonly environment: string;
}

/** An instance of an application, as it registered. Times are in milliseconds. */
export interface ClientInstance extends InstanceKey {
  /** Name and version, e.g. `unleash-node-sdk:6.12.1`. */
  readonly sdkVersion: string | null;
  /** Names of the strategies that it can evaluate. */
  readonly strategies: readonly string[];
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The interval between two reports of usage. */
  readonly intervalMs: number;
  /** When it last registered, read flags or reported usage, within ten minutes. */
  readonly seenAt: number;
  /**
   * True if Unleash Edge reads flags and reports usage on behalf of the instance. Edge reports by
   * application, so the requests of a single instance are unknown.
   */
  readonly isBehindEdge: boolean;
}

/** Use of flags behind Unleash Edge, which reports applications without their instances. */
export interface EdgeUse {
  readonly appName: string;
  readonly environment: string;
  /** The version of the SDK; null if it was not reported. */
  readonly sdkVersion: string | null;
}

/**
 * An application with its current instances: those seen at most a day before the most recent one in
 * the same environment. Times are in milliseconds.
 */
export interface Application {
  readonly appName: string;
  readonly instances: number;
  readonly sdkVersions: readonly string[];
  readonly seenAt: number;
}

/** The current instances of an application that use one version of an SDK in an environment. */
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

/** A 64-bit integer, whose type depends on the driver; null for the maximum of no rows. */
type Bigint = number | string | null;

interface ApplicationRow {
  app_name: string;
  instances: number | string;
  last_seen_at: number | string;
}

/** Rows in one statement, within the limits of both databases. */
const CHUNK = 200;
/** The columns that identify an instance. */
const KEY = ['app_name', 'instance_id', 'environment'] as const;
const DAY_MS = 86_400_000;

/** Stores the applications that use flags in the service's database. */
export class ApplicationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores instances; one that registers again replaces its record. Resolves once they are committed. */
  async register(instances: readonly ClientInstance[]): Promise<void> {
    await this.#inOrder(instances, async (trx, chunk) => {
      await trx('client_instances')
        .insert(chunk.map(toRow))
        .onConflict([...KEY])
        .merge();
    });
  }

  /** Records that registered instances were seen at a time. */
  async see(instances: readonly InstanceKey[], at: number): Promise<void> {
    await this.#inOrder(instances, async (trx, chunk) => {
      const earlier = () =>
        trx('client_instances')
          .whereIn(
            [...KEY],
            chunk.map(each => [
              each.appName,
              each.instanceId,
              each.environment,
            ]),
          )
          .where('seen_at', '<', at);
      await this.#advance(earlier, at);
    });
  }

  /**
   * Records that flags were used behind Unleash Edge at a time. Edge does not name instances, so this
   * updates those of the same application and SDK version that registered through Edge within a day
   * before the latest of them; earlier ones were replaced and may no longer run. Earlier versions of
   * this service did not store who reported a registration: if none is known to be from Edge, the
   * instances most recently seen are updated.
   */
  async seeBehindEdge(uses: readonly EdgeUse[], at: number): Promise<void> {
    for (const { appName, environment, sdkVersion } of uses) {
      const own = (source: Knex) =>
        source('client_instances').where({
          app_name: appName,
          environment,
          ...(sdkVersion !== null && { sdk_version: sdkVersion }),
        });
      const last: { registered?: Bigint; seen?: Bigint } = {
        ...(await own(this.#database.knex)
          .max({ registered: 'edge_registered_at', seen: 'seen_at' })
          .first()),
      };
      const registered = last.registered ?? null;
      const column = registered === null ? 'seen_at' : 'edge_registered_at';
      const lastAt = registered ?? last.seen ?? at;
      const since = Number(lastAt) - DAY_MS;
      await this.#database.transaction(trx =>
        this.#advance(
          () => own(trx).where(column, '>', since).where('seen_at', '<', at),
          at,
        ),
      );
    }
  }

  /** Sets when instances were seen, after locking them in the order of {@link KEY}. */
  async #advance(earlier: () => Knex.QueryBuilder, at: number): Promise<void> {
    if (this.#database.client === 'postgres') {
      // On its own, an update locks rows in the order of its query plan.
      await earlier()
        .orderByRaw(KEY.map(name => `${name} collate "C"`).join(', '))
        .forUpdate()
        .select('app_name');
    }
    await earlier().update({ seen_at: at });
  }

  /**
   * Writes instances, each once, in one transaction. They are sorted by the bytes of their names, so
   * that all replicas lock rows in the same order and do not deadlock.
   */
  async #inOrder<T extends InstanceKey>(
    instances: readonly T[],
    write: (trx: Transaction, chunk: readonly T[]) => Promise<void>,
  ): Promise<void> {
    if (instances.length === 0) {
      return;
    }
    const byKey = new Map(
      instances.map(each => {
        const { appName, instanceId, environment } = each;
        return [[appName, instanceId, environment].join('\0'), each] as const;
      }),
    );
    const sorted = [...byKey]
      .map(([key, instance]) => ({ bytes: Buffer.from(key), instance }))
      .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
      .map(({ instance }) => instance);
    await this.#database.transaction(async trx => {
      for (const chunk of chunksOf(sorted, CHUNK)) {
        await write(trx, chunk);
      }
    });
  }

  /** Lists applications, most recently seen first. */
  async list(limit: number): Promise<Application[]> {
    const rows = await this.#current()
      .groupBy('own.app_name')
      .count({ instances: '*' })
      .max({ last_seen_at: 'own.seen_at' })
      .orderBy('last_seen_at', 'desc')
      .orderBy('own.app_name')
      .limit(limit)
      .select<ApplicationRow[]>('own.app_name');
    const versions: { app_name: string; sdk_version: string }[] =
      await this.#current()
        .distinct('own.app_name', 'sdk_version')
        .whereNotNull('sdk_version')
        .whereIn(
          'own.app_name',
          rows.map(row => row.app_name),
        )
        .orderBy('sdk_version');
    return rows.map(row => ({
      appName: row.app_name,
      instances: Number(row.instances),
      sdkVersions: versions
        .filter(({ app_name }) => app_name === row.app_name)
        .map(({ sdk_version }) => sdk_version),
      seenAt: Number(row.last_seen_at),
    }));
  }

  /** Lists the SDK versions in use, by application and environment. */
  async sdkUses(): Promise<SdkUse[]> {
    const rows = await this.#current()
      .whereNotNull('sdk_version')
      .groupBy('sdk_version', 'own.app_name', 'own.environment')
      .count({ instances: '*' })
      .max({ last_seen_at: 'own.seen_at' })
      .orderBy(['own.app_name', 'own.environment', 'sdk_version'])
      .select<SdkUseRow[]>('sdk_version', 'own.app_name', 'own.environment');
    return rows.map(row => ({
      sdkVersion: row.sdk_version,
      appName: row.app_name,
      environment: row.environment,
      instances: Number(row.instances),
      seenAt: Number(row.last_seen_at),
    }));
  }

  /** Selects the current instances, without those that were replaced, e.g. by a deployment. */
  #current() {
    const { knex } = this.#database;
    const latest = knex('client_instances')
      .groupBy('app_name', 'environment')
      .select('app_name', 'environment')
      .max({ seen_at: 'seen_at' })
      .as('latest');
    return knex('client_instances as own')
      .join(latest, join =>
        join
          .on('latest.app_name', 'own.app_name')
          .andOn('latest.environment', 'own.environment'),
      )
      .whereRaw(`own.seen_at > latest.seen_at - ${DAY_MS}`);
  }

  /** Deletes instances last seen before a time. @returns the number of deleted records. */
  async purge(seenBefore: number): Promise<number> {
    return this.#database.transaction(trx =>
      trx('client_instances').where('seen_at', '<', seenBefore).delete(),
    );
  }
}

function toRow(instance: ClientInstance) {
  return {
    app_name: instance.appName,
    instance_id: instance.instanceId,
    environment: instance.environment,
    sdk_version: instance.sdkVersion,
    strategies: JSON.stringify(instance.strategies),
    started_at: instance.startedAt,
    interval_ms: instance.intervalMs,
    seen_at: instance.seenAt,
    edge_registered_at: instance.isBehindEdge ? instance.seenAt : null,
  };
}
