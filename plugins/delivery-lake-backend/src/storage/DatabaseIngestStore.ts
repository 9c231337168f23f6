import { ServiceUnavailableError } from '@backstage/errors';
import { exclusiveTransaction } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { IngestBatch, IngestedEvent } from '../events/Delivery';
import {
  IncidentRecord,
  keyParts,
  mapKey,
  recordKey,
  RecordName,
} from '../events/LakeEvent';
import {
  Folded,
  FoldedRecords,
  foldTouched,
  namesOf,
  findNewEvents,
  Touched,
} from '../events/findNewEvents';
import { BatchSql } from './BatchSql';
import { moveHeads, writeChanges } from './changes';
import { writeDeployments } from './deployments';
import { countSources, EventLog, recordDelivery } from './EventLog';
import { incidentsLinkingTo, writeIncidents } from './incidents';
import { DirtyMarks, markDeployments } from './marks';
import { publicIds } from './sentRecords';
import { NameIds } from './services';

const SERVICE_REPOSITORY = {
  repository_id: 'integer',
  service_id: 'integer',
} as const;

/** The result of updating records. */
interface UpdatedRecords {
  /** Public ids of the existing deployments and incidents, by {@link mapKey}. */
  publicIds: ReadonlyMap<string, string>;
  /** true if something must be derived again. */
  marked: boolean;
}

async function resolveNames(names: NameIds, folded: FoldedRecords) {
  const { changes, deployments, incidents } = folded;
  return {
    services: await names.services(
      [...deployments, ...incidents].flatMap(
        ({ record }) => record?.service ?? [],
      ),
    ),
    repositories: await names.repositories([
      ...changes.map(({ key }) => keyParts(key)[0]),
      ...deployments.flatMap(({ record }) => record?.repository ?? []),
    ]),
  };
}

type ResolvedNames = Awaited<ReturnType<typeof resolveNames>>;

async function linkServicesToRepositories(
  sql: BatchSql,
  { deployments }: FoldedRecords,
  { services, repositories }: ResolvedNames,
): Promise<void> {
  const pairs = new Map<
    string,
    { repository_id: number; service_id: number }
  >();
  for (const { record } of deployments) {
    if (record && record.repository !== null) {
      const repository_id = repositories.get(record.repository)!;
      const service_id = services.get(record.service)!;
      pairs.set(`${repository_id} ${service_id}`, {
        repository_id,
        service_id,
      });
    }
  }
  await sql.insert({
    table: 'service_repositories',
    columns: SERVICE_REPOSITORY,
    rows: [...pairs.values()],
    conflict: 'DO NOTHING',
  });
}

/** Finds incidents without a service that inherit it from these deployments. */
async function dependentIncidents(
  sql: BatchSql,
  keys: string[],
  except: Folded<IncidentRecord>[],
): Promise<Folded<IncidentRecord>[]> {
  const touched = new Set(except.map(({ key }) => key));
  const names = keys
    .filter(key => !touched.has(key))
    .map((key): RecordName => ({ kind: 'incident', key }));
  const known = await new EventLog(sql).of(names);
  return foldTouched(
    names.map(name => ({
      ...name,
      events: known.get(mapKey(name)) ?? [],
      fresh: false,
    })),
  ).incidents.filter(({ record }) => record?.service === null);
}

/**
 * Updates the records of these keys, and records that depend on them, from all known
 * events, and marks what must be derived again.
 *
 * @param options.sql - inside {@link ingestTransaction}.
 */
export async function updateRecords(options: {
  sql: BatchSql;
  directory: ServiceDirectory;
  touched: Touched[];
}): Promise<UpdatedRecords> {
  const { sql, directory, touched } = options;
  const marks = new DirtyMarks();
  const folded = foldTouched(touched);
  const resolved = await resolveNames(new NameIds({ sql, directory }), folded);
  await linkServicesToRepositories(sql, folded, resolved);

  const moved = await writeChanges({
    sql,
    changes: folded.changes.filter(({ fresh, record }) => record ?? !fresh),
    repositories: resolved.repositories,
  });
  await moveHeads({ sql, marks, shifts: moved });

  const deploymentIds = new Map<string, string>();
  const shifts = await writeDeployments({
    sql,
    deployments: folded.deployments,
    ...resolved,
    publicIds: deploymentIds,
  });
  await markDeployments({ sql, marks, shifts });

  const incidentIds = new Map<string, string>();
  const dependent = await dependentIncidents(
    sql,
    await incidentsLinkingTo(sql, shifts),
    folded.incidents,
  );
  await writeIncidents({
    sql,
    marks,
    incidents: [...folded.incidents, ...dependent],
    services: resolved.services,
    publicIds: incidentIds,
  });

  const named = (kind: RecordName['kind'], ids: Map<string, string>) =>
    [...ids].map(([key, id]) => [mapKey({ kind, key }), id] as const);
  return {
    publicIds: new Map([
      ...named('deployment', deploymentIds),
      ...named('incident', incidentIds),
    ]),
    marked: await marks.write(sql),
  };
}

/** Key of the advisory lock, unlikely to collide: "lake" in ASCII. */
const INGEST_LOCK = 0x6c616b65;

/**
 * Runs ingest transactions one at a time across replicas, because an event's effect depends on its
 * record, on the change it deploys and on the deployment it links to: two concurrent transactions
 * would each miss what the other adds. A lock per record would not help, because batches of a
 * thousand almost always overlap.
 *
 * @throws the database's error, with nothing written.
 */
export async function ingestTransaction<T>(
  knex: Knex,
  work: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return exclusiveTransaction(knex, INGEST_LOCK, work);
}

type IngestOutcome = { results: IngestedEvent[]; marked: boolean } | undefined;

/**
 * Maximum number of waiting batches. With more, the database is unavailable or too slow, and memory
 * would run out.
 */
const MAX_WAITING = 256;

/** Stores events and records in the plugin's SQL database. */
export class DatabaseIngestStore {
  readonly #knex: Knex;
  readonly #directory: ServiceDirectory;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param options.knex - see `openLakeDatabase`. */
  constructor(options: { knex: Knex; directory: ServiceDirectory }) {
    this.#knex = options.knex;
    this.#directory = options.directory;
  }

  /**
   * Stores events. When it resolves, they are durable, each is stored once, and the records reflect
   * all known events, regardless of their order and of concurrent calls.
   *
   * @returns one result per event, in order; undefined if the delivery is already known.
   */
  async add(batch: IngestBatch): Promise<IngestOutcome> {
    // Batches are queued here, because they would wait for each other in the database anyway, each
    // occupying one of the few connections that readers need too.
    if (this.#waiting >= MAX_WAITING) {
      throw new ServiceUnavailableError(
        'Too many events are waiting; send them again later',
      );
    }
    this.#waiting += 1;
    const turn = this.#last
      .then(() =>
        ingestTransaction(this.#knex, tx =>
          this.#addIn(new BatchSql(tx), batch),
        ),
      )
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #addIn(sql: BatchSql, batch: IngestBatch): Promise<IngestOutcome> {
    const { delivery, events, receivedAt } = batch;
    const deliveryId =
      delivery && (await recordDelivery(sql, delivery, receivedAt));
    if (delivery && deliveryId === undefined) {
      return undefined;
    }
    const log = new EventLog(sql);
    const names = namesOf(events);
    const { added, touched, outcomes } = findNewEvents(
      events,
      await log.of(names),
    );
    await log.append(
      added.map(event => ({ ...event, receivedAt, deliveryId })),
    );
    await countSources(sql, added, receivedAt);
    const updated = await updateRecords({
      sql,
      directory: this.#directory,
      touched,
    });

    const changed = new Set(touched.map(mapKey));
    const unchanged = names.filter(name => !changed.has(mapKey(name)));
    const ids = new Map([
      ...updated.publicIds,
      ...(await publicIds(sql, unchanged)),
    ]);
    return {
      marked: updated.marked,
      results: events.map(({ event }, index) => {
        const name = { kind: event.kind, key: recordKey(event) };
        return { outcome: outcomes[index], id: ids.get(mapKey(name)) };
      }),
    };
  }
}
