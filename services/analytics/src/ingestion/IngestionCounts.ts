import { repairJson } from '@slipway/service-kit';
import { CountBuffer } from './CountBuffer.ts';
import type {
  IngestionMinute,
  IngestionStore,
  UnknownKind,
  UnknownRequest,
} from './storage/IngestionStore.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Number of recent minutes that are shown individually. */
const SHOWN_MINUTES = 60;
const KEPT_DAYS = 7;
/** Maximum different unknown keys and paths counted between two flushes. */
const MOST_UNKNOWN = 50;
const LONGEST_NAME = 100;
const SHOWN_END = 4;

/** Numbers of events in a request. */
export interface Intake {
  /** The number of events that the service stored, or already had. */
  readonly received: number;
  /** The number of received events that the service already had. */
  readonly repeated: number;
}

/** Statistics about the recent events of a project. Times are milliseconds since the Unix epoch. */
interface IngestionSummary {
  /** When the last event arrived; undefined if none did in the last seven days. */
  readonly lastAt: number | undefined;
  /** The last hour, minute by minute, oldest first. */
  readonly minutes: readonly { at: number; received: number }[];
  /** The last 24 hours. */
  readonly day: Readonly<Record<'received' | 'repeated' | 'repaired', number>>;
}

/** Counts events by project and minute, and requests with unknown keys and paths. */
export class IngestionCounts {
  readonly #store: IngestionStore;
  readonly #now: () => number;
  readonly #minutes = new CountBuffer<IngestionMinute>({
    keyOf: ({ projectId, minute }) => `${projectId}\n${minute}`,
    add: (before, entry) => ({
      ...entry,
      received: before.received + entry.received,
      repeated: before.repeated + entry.repeated,
      repaired: before.repaired + entry.repaired,
    }),
  });
  readonly #unknown = new CountBuffer<UnknownRequest>({
    keyOf: ({ kind, name }) => `${kind}\n${name}`,
    add: (before, entry) => ({
      ...entry,
      requests: before.requests + entry.requests,
    }),
    most: MOST_UNKNOWN,
  });

  constructor(options: { store: IngestionStore; now: () => number }) {
    this.#store = options.store;
    this.#now = options.now;
  }

  received(projectId: string, { received, repeated }: Intake): void {
    this.#add(projectId, { received, repeated, repaired: 0 });
  }

  /** Counts events that had to be changed before they could be stored. */
  repaired(projectId: string, events: number): void {
    if (events > 0) {
      this.#add(projectId, { received: 0, repeated: 0, repaired: events });
    }
  }

  /** Counts a request with a key that no project has. The key is masked: it may be a secret. */
  unknownKey(key: string): void {
    const start = /^ph[a-z]_/.exec(key)?.[0] ?? '';
    const end = key.length > 3 * SHOWN_END ? key.slice(-SHOWN_END) : '';
    this.#addUnknown('key', `${start}…${end}`);
  }

  /** Counts a request with a path that the service does not have. */
  unknownPath(path: string): void {
    this.#addUnknown('path', path.slice(0, LONGEST_NAME));
  }

  #add(
    projectId: string,
    counts: Pick<IngestionMinute, 'received' | 'repeated' | 'repaired'>,
  ): void {
    const lastAt = this.#now();
    const minute = Math.floor(lastAt / MINUTE_MS);
    this.#minutes.add({ projectId, minute, lastAt, ...counts });
  }

  #addUnknown(kind: UnknownKind, name: string): void {
    this.#unknown.add({
      kind,
      // A character that no database can store would make every later flush fail.
      name: String(repairJson(name)),
      requests: 1,
      lastAt: this.#now(),
    });
  }

  async flush(): Promise<void> {
    await this.#minutes.flush(entries => this.#store.add(entries));
    await this.#unknown.flush(entries => this.#store.addUnknown(entries));
  }

  async summary(projectId: string): Promise<IngestionSummary> {
    await this.flush();
    const now = Math.floor(this.#now() / MINUTE_MS);
    const rows = await this.#store.list(projectId, now - SHOWN_MINUTES);
    const known = new Map(rows.map(row => [row.minute, row.received]));
    const first = now - SHOWN_MINUTES + 1;
    return {
      lastAt: await this.#store.lastAt(projectId),
      day: await this.#store.sum(projectId, now - DAY_MINUTES),
      minutes: Array.from({ length: SHOWN_MINUTES }, (_, index) => ({
        at: (first + index) * MINUTE_MS,
        received: known.get(first + index) ?? 0,
      })),
    };
  }

  /** Lists requests with unknown keys or paths, latest first. */
  async unknown(): Promise<UnknownRequest[]> {
    await this.flush();
    return this.#store.listUnknown();
  }

  /** Deletes old counts. */
  async purge(): Promise<void> {
    const before = this.#now() - KEPT_DAYS * DAY_MINUTES * MINUTE_MS;
    await this.#store.purge({
      minute: Math.floor(before / MINUTE_MS),
      at: before,
    });
  }
}
