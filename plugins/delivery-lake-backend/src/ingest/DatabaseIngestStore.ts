import { ServiceUnavailableError } from '@backstage/errors';
import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { recordKey } from '../events/recordKey';
import { Intake, IngestStore, TakenEvent } from './IngestStore';
import { namesOf, sortEvents } from './records/sortEvents';
import { updateRecords } from './records/updateRecords';
import { BatchSql } from './sql/BatchSql';
import { countSources } from './sql/countSources';
import { EventLog, mapKey } from './sql/EventLog';
import { ingestTransaction } from './sql/ingestTransaction';
import { publicIds } from './sql/publicIds';
import { recordDelivery } from './sql/recordDelivery';

type Taken = { results: TakenEvent[]; marked: boolean } | undefined;

/** Batches that wait for their turn: beyond it the database is gone or too slow, and memory is next. */
const MOST_WAITING = 256;

/** Keeps events and records in the plugin's SQL database. */
export class DatabaseIngestStore implements IngestStore {
  readonly #knex: Knex;
  readonly #directory: ServiceDirectory;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** @param options.knex - see `openLakeDatabase`. */
  constructor(options: { knex: Knex; directory: ServiceDirectory }) {
    this.#knex = options.knex;
    this.#directory = options.directory;
  }

  async take(intake: Intake): Promise<Taken> {
    // They would wait for each other in the database anyway, each holding one of
    // the few connections that readers need too.
    if (this.#waiting >= MOST_WAITING) {
      throw new ServiceUnavailableError(
        'More events wait than can be taken in; send them again later',
      );
    }
    this.#waiting += 1;
    const turn = this.#last
      .then(() =>
        ingestTransaction(this.#knex, tx =>
          this.#take(new BatchSql(tx), intake),
        ),
      )
      .finally(() => {
        this.#waiting -= 1;
      });
    this.#last = turn.catch(() => {});
    return turn;
  }

  async #take(sql: BatchSql, intake: Intake): Promise<Taken> {
    const { delivery, events, receivedAt } = intake;
    const deliveryId =
      delivery && (await recordDelivery(sql, delivery, receivedAt));
    if (delivery && deliveryId === undefined) {
      return undefined;
    }
    const log = new EventLog(sql);
    const names = namesOf(events);
    const { added, touched, outcomes } = sortEvents(
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
