import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { Deriver } from '../derivation/Deriver';
import { changeKey, RecordName, senderKey } from '../events/LakeEvent';
import { BatchSql, type BigInteger } from './BatchSql';
import { ingestTransaction } from './DatabaseIngestStore';
import { COUNT_COLUMNS } from './metricCounts';
import { refold } from './replayStages';

const RECORDS_AT_ONCE = 500;

/** Tables with a service id in every row. */
const SERVICE_TABLES = [
  'dirty_marks',
  'durations',
  'rollup_counts',
  'service_repositories',
] as const;

/** Numbers of deleted records. */
export interface ForgottenNamespace {
  services: number;
  /** Deployments, changes and incidents. */
  records: number;
}

/** Deletes the services of a namespace from the lake's database. */
export class DatabaseNamespaceStore {
  readonly #knex: Knex;
  readonly #directory: ServiceDirectory;
  readonly #deriver: Pick<Deriver, 'drain'>;

  constructor(options: {
    knex: Knex;
    directory: ServiceDirectory;
    deriver: Pick<Deriver, 'drain'>;
  }) {
    this.#knex = options.knex;
    this.#directory = options.directory;
    this.#deriver = options.deriver;
  }

  /**
   * Deletes the services of a namespace, their deployments and incidents, and the changes
   * of repositories from which no other service is deployed, with everything received and
   * derived for them. If it is interrupted, call it again to complete it.
   */
  async forget(namespace: string): Promise<ForgottenNamespace> {
    const ids: number[] = await this.#services(this.#knex, namespace).pluck(
      'id',
    );
    let records = 0;
    let isCleared = false;
    while (!isCleared) {
      records += await this.#dropAll(namespace);
      await this.#deriver.drain(
        await this.#services(this.#knex, namespace).pluck('id'),
      );
      isCleared = await ingestTransaction(this.#knex, tx =>
        this.#clear(tx, namespace),
      );
    }
    return { services: ids.length, records };
  }

  /** Deletes the records of a namespace. @returns their number. */
  async #dropAll(namespace: string): Promise<number> {
    let records = 0;
    for (;;) {
      const names = await this.#nextRecords(this.#knex, namespace);
      if (names.length === 0) {
        return records;
      }
      await ingestTransaction(this.#knex, tx => this.#drop(tx, names));
      records += names.length;
    }
  }

  #services(knex: Knex, namespace: string): Knex.QueryBuilder {
    const prefix = `${namespace}/`;
    return knex('services').whereRaw('substr(name, 1, ?) = ?', [
      prefix.length,
      prefix,
    ]);
  }

  /** Selects the repositories from which only services of the namespace are deployed. */
  #repositories(knex: Knex, namespace: string): Knex.QueryBuilder {
    const own = () => this.#services(knex, namespace).select('id');
    return knex('service_repositories')
      .whereIn('service_id', own())
      .whereNotIn(
        'repository_id',
        knex('service_repositories')
          .whereNotIn('service_id', own())
          .select('repository_id'),
      );
  }

  async #nextRecords(knex: Knex, namespace: string): Promise<RecordName[]> {
    const own = () => this.#services(knex, namespace).select('id');
    for (const [table, kind] of [
      ['incidents', 'incident'],
      ['deployments', 'deployment'],
    ] as const) {
      const rows: { source: string; external_id: string }[] = await knex(table)
        .whereIn('service_id', own())
        .limit(RECORDS_AT_ONCE)
        .select('source', 'external_id');
      if (rows.length > 0) {
        return rows.map(row => ({
          kind,
          key: senderKey(row.source, row.external_id),
        }));
      }
    }
    const changes: { name: string; sha: string }[] = await knex('changes')
      .join('repositories', 'repositories.id', 'changes.repository_id')
      .whereIn(
        'repository_id',
        this.#repositories(knex, namespace).select('repository_id'),
      )
      .limit(RECORDS_AT_ONCE)
      .select('repositories.name', 'changes.sha');
    return changes.map(({ name, sha }) => ({
      kind: 'change',
      key: changeKey(name, sha),
    }));
  }

  /** Deletes the events of these records, and with them the records. */
  async #drop(tx: Knex.Transaction, names: RecordName[]): Promise<void> {
    const [{ kind }] = names;
    const events = () =>
      tx('lake_events')
        .where({ kind })
        .whereIn(
          'record_key',
          names.map(({ key }) => key),
        );
    const deliveries: (BigInteger | null)[] = await events()
      .whereNotNull('delivery_id')
      .distinct()
      .pluck('delivery_id');
    await events().delete();
    if (deliveries.length > 0) {
      await tx('lake_deliveries')
        .whereIn('id', deliveries)
        .whereNotExists(
          tx('lake_events').whereRaw(
            'lake_events.delivery_id = lake_deliveries.id',
          ),
        )
        .delete();
    }
    await refold({
      sql: new BatchSql(tx),
      directory: this.#directory,
      names,
    });
  }

  /**
   * Deletes the services, and rollup rows that became empty.
   *
   * @returns false, with nothing deleted, if records arrived in the meantime.
   */
  async #clear(tx: Knex.Transaction, namespace: string): Promise<boolean> {
    if ((await this.#nextRecords(tx, namespace)).length > 0) {
      return false;
    }
    const ids: number[] = await this.#services(tx, namespace).pluck('id');
    const repositories: number[] = await this.#repositories(
      tx,
      namespace,
    ).pluck('repository_id');
    for (const table of SERVICE_TABLES) {
      await tx(table).whereIn('service_id', ids).delete();
    }
    await tx('services').whereIn('id', ids).delete();
    await tx('repositories').whereIn('id', repositories).delete();
    await tx('rollup_counts')
      .where(Object.fromEntries(COUNT_COLUMNS.map(column => [column, 0])))
      .delete();
    await tx('rollup_durations').where({ samples: 0 }).delete();
    await tx('lake_sources')
      .whereNotExists(
        tx('lake_events').whereRaw('lake_events.source = lake_sources.source'),
      )
      .delete();
    return true;
  }
}
