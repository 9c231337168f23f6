import { setImmediate as turn } from 'node:timers/promises';
import type { Observed } from './Definition.ts';
import {
  observe,
  propertiesOf,
  type SampledEvent,
  type Seen,
} from './observe.ts';
import type { DefinitionStore } from './storage/DefinitionStore.ts';

/** Events of one step, to limit how long it blocks. */
const STEP = 20_000;
/** Events whose properties are read, of all that wait; of more events, every nth. */
const SAMPLED = 2_000;
/** Properties read before others have their turn. */
const AT_ONCE = 200;

/** Events in the order of arrival, each with a position. */
interface Arrivals {
  /** Identifies what the positions belong to. */
  readonly id: string;
  /** Returns the last used position. */
  last(): number;
  /** Returns the position of the last of the next events; undefined if there are none. */
  end(after: number, count: number): number | undefined;
  /** Counts the events up to a position, both exclusive and inclusive. */
  counts(range: { after: number; upTo: number }): Seen[];
  /** Returns about as many events, evenly chosen. */
  sample(range: { after: number; upTo: number }, count: number): SampledEvent[];
}

/**
 * Counts events and properties as they arrive. The position is committed with the
 * counts, so each event is counted once, also after a crash.
 */
export class DefinitionCounter {
  readonly #options: {
    arrivals: Arrivals;
    store: DefinitionStore;
    /** Reads what arrived before a time; undefined if positions tell of all events. */
    readStored: ((before: number) => Promise<Observed[]>) | undefined;
    /** Returns the time from which each project keeps events; earlier ones are not counted. */
    keptSince?: () => Promise<ReadonlyMap<string, number>>;
    now: () => number;
  };
  /** Undefined until what is stored is counted. */
  #counted: number | undefined;
  #isRecorded = false;
  readonly #start: { position: number; at: number };
  #work: Promise<void> = Promise.resolve();

  constructor(options: {
    arrivals: Arrivals;
    store: DefinitionStore;
    readStored: ((before: number) => Promise<Observed[]>) | undefined;
    /** Returns the time from which each project keeps events; earlier ones are not counted. */
    keptSince?: () => Promise<ReadonlyMap<string, number>>;
    now: () => number;
  }) {
    this.#options = options;
    this.#start = { position: options.arrivals.last(), at: options.now() };
  }

  /** Reads how far events are counted; call it before events arrive. */
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

  /** Counts everything that has arrived; one call at a time. */
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
    let since: ReadonlyMap<string, number> | undefined;
    const waiting = Math.max(1, arrivals.last() - counted);
    while (!signal?.aborted) {
      const upTo = arrivals.end(counted, STEP);
      if (upTo === undefined) {
        return;
      }
      since ??= (await this.#options.keptSince?.()) ?? new Map();
      const starts = since;
      const range = { after: counted, upTo };
      const seen: Seen[] = arrivals.counts(range);
      const share = Math.ceil((SAMPLED * (upTo - counted)) / waiting);
      for (const [index, event] of arrivals.sample(range, share).entries()) {
        seen.push(...propertiesOf(event));
        if (index % AT_ONCE === AT_ONCE - 1) {
          await turn();
        }
      }
      const kept = seen.filter(
        ({ projectId, lastAt }) => lastAt >= (starts.get(projectId) ?? 0),
      );
      await this.#record(observe(kept), {
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
