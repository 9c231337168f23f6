import type { Database } from '@slipway/service-kit';
import { CountBuffer } from '../ingestion/CountBuffer.ts';
import type { DropReason } from './sdkEvents.ts';

const DAY_MS = 24 * 3_600_000;

/** SDK events that a project lost for one reason. */
export interface DropCount {
  readonly reason: DropReason;
  readonly events: number;
  /** Milliseconds since the Unix epoch. */
  readonly lastAt: number;
}

interface Waiting extends DropCount {
  readonly projectId: string;
  readonly day: number;
}

interface DropsOptions {
  database: Database;
  now: () => number;
  /** Called for each drop, for metrics. */
  onDropped: (reason: DropReason, events: number) => void;
}

/**
 * Counts dropped SDK events by project, day and reason. Senders cannot notice drops, since
 * an SDK always receives a success response.
 */
export class Drops {
  readonly #options: DropsOptions;
  readonly #waiting = new CountBuffer<Waiting>({
    keyOf: ({ projectId, reason, day }) => `${projectId}\n${reason}\n${day}`,
    add: (before, entry) => ({
      ...entry,
      events: before.events + entry.events,
    }),
  });

  constructor(options: DropsOptions) {
    this.#options = options;
  }

  add(
    projectId: string,
    { reason, events }: Pick<DropCount, 'reason' | 'events'>,
  ): void {
    const { now, onDropped } = this.#options;
    const lastAt = now();
    const day = Math.floor(lastAt / DAY_MS);
    this.#waiting.add({ projectId, reason, day, lastAt, events });
    onDropped(reason, events);
  }

  /** Writes the counts since the last flush. */
  async flush(): Promise<void> {
    await this.#waiting.flush(entries =>
      this.#options.database.transaction(async trx => {
        for (const { projectId, reason, day, events, lastAt } of entries) {
          await trx('event_drops')
            .insert({
              project_id: projectId,
              reason,
              day,
              events,
              last_at: lastAt,
            })
            .onConflict(['project_id', 'reason', 'day'])
            .merge({
              last_at: lastAt,
              events: trx.raw('?? + ?', ['event_drops.events', events]),
            });
        }
      }),
    );
  }

  /** Lists a project's drops in the last days, latest first. */
  async list(projectId: string, days: number): Promise<DropCount[]> {
    await this.flush();
    const since = Math.floor(this.#options.now() / DAY_MS) - days;
    const rows: { reason: DropReason; events: unknown; last_at: unknown }[] =
      await this.#options.database
        .knex('event_drops')
        .where({ project_id: projectId })
        .where('day', '>', since)
        .groupBy('reason')
        .select('reason')
        .sum({ events: 'events' })
        .max({ last_at: 'last_at' });
    return rows
      .map(({ reason, events, last_at: lastAt }) => ({
        reason,
        events: Number(events),
        lastAt: Number(lastAt),
      }))
      .sort((left, right) => right.lastAt - left.lastAt);
  }
}
