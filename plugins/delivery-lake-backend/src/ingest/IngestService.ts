import {
  IngestItemResult,
  IngestResponse,
} from '@slipway/plugin-delivery-lake-common';
import { DeliveryLakeConfig } from '../config';
import {
  checkEvent,
  impliedChange,
  normalizeEvent,
} from '../events/checkEvent';
import {
  digestEvent,
  IncomingEvent,
  IngestItem,
  JudgedDelivery,
  RawDelivery,
} from '../events/LakeEvent';
import { DatabaseIngestStore } from '../storage/DatabaseIngestStore';

/** Takes events in; everything it has acknowledged survives a crash. */
export interface IngestService {
  /** Items of the lake's own JSON. One that is refused keeps no other from being taken. */
  ingest(items: IngestItem[]): Promise<IngestResponse>;
  /**
   * A delivery of a webhook or an event bus with the events it means.
   *
   * @param ignored - why it means none, where it does.
   * @returns undefined when the delivery is known already.
   */
  ingestDelivery(
    delivery: RawDelivery,
    items: IngestItem[],
    ignored?: string,
  ): Promise<IngestResponse | undefined>;
}

type Options = Pick<DeliveryLakeConfig, 'environments' | 'clockSkew'>;

/** An item after all checks: what to keep, or what is wrong with it. */
export type CheckedItem =
  | { events: [IncomingEvent, ...IncomingEvent[]] }
  | { error: string; field?: string };

/**
 * Brings an item into the form that is kept, refuses what cannot be true, and adds
 * what it entails.
 *
 * @param options.now - milliseconds since the Unix epoch.
 */
export function checkItem(
  item: IngestItem,
  options: Options & { now: number },
): CheckedItem {
  if ('error' in item) {
    return item;
  }
  const event = normalizeEvent(item.event, options);
  const fault = checkEvent(event, options);
  if (fault) {
    return fault;
  }
  const change = event.kind === 'deployment' ? impliedChange(event) : undefined;
  return {
    events: [
      digestEvent(event),
      ...(change ? [{ ...digestEvent(change), implied: true }] : []),
    ],
  };
}

/** Says what a delivery came to. */
export function judgeDelivery(
  delivery: RawDelivery,
  items: CheckedItem[],
  ignored?: string,
): JudgedDelivery {
  if (items.some(item => 'events' in item)) {
    return { ...delivery, outcome: 'accepted' };
  }
  const fault = items.find(item => 'error' in item);
  return fault && 'error' in fault
    ? { ...delivery, outcome: 'rejected', reason: fault.error }
    : {
        ...delivery,
        outcome: 'ignored',
        reason: ignored ?? 'It holds nothing for the lake',
      };
}

/** Checks what senders say, keeps what can be true, and answers per item. */
export class DefaultIngestService implements IngestService {
  readonly #store: DatabaseIngestStore;
  readonly #config: Options;
  readonly #now: () => number;
  readonly #onMarked: () => void;

  /** @param options.onMarked - called after a commit that left something to derive. */
  constructor(options: {
    store: DatabaseIngestStore;
    config: Options;
    now?: () => number;
    onMarked?: () => void;
  }) {
    this.#store = options.store;
    this.#config = options.config;
    this.#now = options.now ?? Date.now;
    this.#onMarked = options.onMarked ?? (() => {});
  }

  async ingest(items: IngestItem[]): Promise<IngestResponse> {
    const response = await this.#take(this.#check(items));
    return response!;
  }

  async ingestDelivery(
    delivery: RawDelivery,
    items: IngestItem[],
    ignored?: string,
  ): Promise<IngestResponse | undefined> {
    const checked = this.#check(items);
    return this.#take(checked, judgeDelivery(delivery, checked, ignored));
  }

  #check(items: IngestItem[]): CheckedItem[] {
    const now = this.#now();
    return items.map(item => checkItem(item, { ...this.#config, now }));
  }

  async #take(
    items: CheckedItem[],
    delivery?: JudgedDelivery,
  ): Promise<IngestResponse | undefined> {
    const events = items.flatMap(item => ('events' in item ? item.events : []));
    const taken =
      events.length > 0 || delivery
        ? await this.#store.take({ events, delivery, receivedAt: this.#now() })
        : { results: [], marked: false };
    if (!taken) {
      return undefined;
    }
    if (taken.marked) {
      this.#onMarked();
    }
    // What an item entails is no item of its own.
    const results = taken.results.filter((_, index) => !events[index].implied);
    return respond(
      items.map((item, index) =>
        'error' in item
          ? { index, outcome: 'rejected', ...item }
          : { index, ...results.shift()! },
      ),
    );
  }
}

function respond(results: IngestItemResult[]): IngestResponse {
  const count = (outcome: IngestItemResult['outcome']) =>
    results.filter(result => result.outcome === outcome).length;
  return {
    accepted: count('accepted'),
    duplicates: count('duplicate'),
    stale: count('stale'),
    rejected: count('rejected'),
    results,
  };
}
