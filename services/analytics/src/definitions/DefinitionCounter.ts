import type {
  CountedArrivals,
  CountRequest,
} from '../store/sqlite/countArrivals.ts';
import type { Observed } from './Definition.ts';
import type { ObservedNames } from './storage/ObservedNames.ts';

/** Maximum events per step, which is one transaction. */
const STEP = 100_000;
/** Maximum events per step whose properties are read; of more events, every nth is read. */
const SAMPLED = 5_000;

/** Events in the order of arrival, each with a position. */
interface Arrivals {
  /** Identifies the journal that the positions belong to. */
  readonly id: string;
  /** Returns the last used position. */
  last(): number;
  /** Counts events, in a different process from the one that receives them. */
  count(request: CountRequest): Promise<CountedArrivals>;
}

interface DefinitionCounterOptions {
  arrivals: Arrivals;
  store: ObservedNames;
  /**
   * Reads the definitions of events that arrived before a time; undefined if positions
   * cover all events.
   */
  readStored: ((before: number) => Promise<Observed[]>) | undefined;
  /** Returns the time from which each project keeps events; earlier ones are not counted. */
  keptSince?: () => Promise<ReadonlyMap<string, number>>;
  now: () => number;
}

/**
 * Counts events and properties as they arrive. The position is committed with the counts,
 * so each event is counted exactly once, even after a crash.
 */
export class DefinitionCounter {
  readonly #options: DefinitionCounterOptions;
  /** The last counted position; undefined until the stored events are counted. */
  #counted: number | undefined;
  #isRecorded = false;
  readonly #start: { position: number; at: number };
  #work: Promise<void> = Promise.resolve();

  constructor(options: DefinitionCounterOptions) {
    this.#options = options;
    this.#start = { position: options.arrivals.last(), at: options.now() };
  }

  /** Reads up to which position events are counted; must be called before events arrive. */
  async open(): Promise<void> {
    const { arrivals, store } = this.#options;
    this.#counted = await store.position(arrivals.id);
    this.#isRecorded = this.#counted !== undefined;
    if (!this.#options.readStored) {
      this.#counted ??= 0;
    }
  }

  /** Returns the last position that is no longer needed. */
  counted(): number {
    return this.#counted ?? 0;
  }

  /** Counts all events that have arrived; one call at a time. */
  async count(signal?: AbortSignal): Promise<void> {
    const work = this.#work.then(() => this.#count(signal));
    this.#work = work.catch(() => undefined);
    await work;
  }

  async #count(signal: AbortSignal | undefined): Promise<void> {
    const { arrivals, readStored } = this.#options;
    let counted = this.#counted;
    if (counted === undefined) {
      const { position, at } = this.#start;
      const observed = (await readStored?.(at)) ?? [];
      await this.#record(observed, { from: undefined, to: position });
      counted = position;
    }
    let keptSince: ReadonlyMap<string, number> | undefined;
    const last = arrivals.last();
    while (counted < last && !signal?.aborted) {
      keptSince ??= (await this.#options.keptSince?.()) ?? new Map();
      const { upTo, observed } = await arrivals.count({
        after: counted,
        upTo: last,
        events: STEP,
        sampled: SAMPLED,
        keptSince,
      });
      await this.#record(observed, {
        from: this.#isRecorded ? counted : undefined,
        to: upTo,
      });
      counted = upTo;
    }
  }

  async #record(
    observed: readonly Observed[],
    positions: { from: number | undefined; to: number },
  ): Promise<void> {
    const { arrivals, store, now } = this.#options;
    await store.record(observed, {
      ...positions,
      id: arrivals.id,
      now: now(),
    });
    this.#counted = positions.to;
    this.#isRecorded = true;
  }
}
