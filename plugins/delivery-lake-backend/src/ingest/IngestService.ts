import {
  IngestItemResult,
  IngestResponse,
} from '@slipway/plugin-delivery-lake-common';
import { DeliveryLakeConfig } from '../config';
import { checkEvent, impliedChange } from '../events/checkEvent';
import { IncomingEvent, JudgedDelivery, RawDelivery } from '../events/Delivery';
import {
  digestEvent,
  IngestItem,
  LakeEvent,
  storable,
  TEXT_LIMITS,
} from '../events/LakeEvent';
import { DatabaseIngestStore } from '../storage/DatabaseIngestStore';

type Options = Pick<DeliveryLakeConfig, 'environments' | 'clockSkew'>;

function storableDeep<T>(value: T): T {
  if (typeof value === 'string') {
    return storable(value) as T;
  }
  if (Array.isArray(value)) {
    return value.map(storableDeep) as T;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, storableDeep(member)]),
    ) as T;
  }
  return value;
}

function cut(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : storable(text.slice(0, limit));
}

/**
 * Returns an http(s) URL, truncated. Any other is dropped, because pages link to it and a browser
 * would run `javascript:`.
 */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address)
    ? cut(address, TEXT_LIMITS.url)
    : undefined;
}

/**
 * Returns the lake's name of a service, the same for a component's entity ref and its plain
 * name: `component:default/x` gives `x`, `component:shop/x` gives `shop/x`.
 */
function serviceName(reported: string): string {
  const ref = /^component:(?:default\/)?(.+)$/i.exec(reported.trim());
  return ref ? ref[1] : reported.trim();
}

/** Returns dev, staging or prod if configured for the name, otherwise the name in lower case. */
function environmentName(
  reported: string,
  environments: DeliveryLakeConfig['environments'],
): string {
  const name = reported.trim().toLocaleLowerCase('en-US');
  return environments.get(name) ?? name;
}

/**
 * Normalizes an event of any sender: one name per service, known environments, SHAs in
 * lower case, texts that a database can store, only http(s) URLs. Texts that identify
 * nothing are truncated to their limit.
 */
export function normalizeEvent(
  reported: LakeEvent,
  options: Pick<DeliveryLakeConfig, 'environments'>,
): LakeEvent {
  const event = storableDeep(reported);
  const url = webAddress(event.url);
  if (event.kind === 'change') {
    return {
      ...event,
      url,
      sha: event.sha.toLowerCase(),
      message: cut(event.message, TEXT_LIMITS.message),
      author: cut(event.author, TEXT_LIMITS.author),
    };
  }
  const common = {
    url,
    service:
      event.service === undefined ? undefined : serviceName(event.service),
    environment:
      event.environment === undefined
        ? undefined
        : environmentName(event.environment, options.environments),
  };
  if (event.kind === 'incident') {
    const link = event.deployment;
    return {
      ...event,
      ...common,
      title: cut(event.title, TEXT_LIMITS.title),
      severity: cut(event.severity, TEXT_LIMITS.severity),
      deployment: link && { ...link, sha: link.sha?.toLowerCase() },
    };
  }
  return {
    ...event,
    ...common,
    version: cut(event.version, TEXT_LIMITS.version),
    triggeredBy: cut(event.triggeredBy, TEXT_LIMITS.triggeredBy),
    commit: event.commit && {
      ...event.commit,
      sha: event.commit.sha.toLowerCase(),
      message: cut(event.commit.message, TEXT_LIMITS.message),
      author: cut(event.commit.author, TEXT_LIMITS.author),
    },
    changes: event.changes?.map(sha => sha.toLowerCase()),
  };
}

/** A checked item: the event to store, or its error. */
export type CheckedItem =
  | { events: [IncomingEvent, ...IncomingEvent[]] }
  | { error: string; field?: string };

/**
 * Normalizes an item, rejects impossible values, and adds implied events.
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

/** Summarizes the result of a delivery. */
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
        reason: ignored ?? 'It contains nothing for the lake',
      };
}

/**
 * Validates and stores events, and returns a result per item. Acknowledged events survive a crash.
 */
export class IngestService {
  readonly #store: DatabaseIngestStore;
  readonly #config: Options;
  readonly #now: () => number;
  readonly #onMarked: () => void;

  /** @param options.onMarked - called after a commit with something to derive. */
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

  /** Ingests items of the lake's JSON format. A rejected item does not affect the others. */
  async ingest(items: IngestItem[]): Promise<IngestResponse> {
    const response = await this.#ingest(this.#check(items));
    return response!;
  }

  /**
   * Ingests a delivery of a webhook or an event bus with its events.
   *
   * @param ignored - the reason why it has no events; undefined if it has some.
   * @returns undefined if the delivery is already known.
   */
  async ingestDelivery(
    delivery: RawDelivery,
    items: IngestItem[],
    ignored?: string,
  ): Promise<IngestResponse | undefined> {
    const checked = this.#check(items);
    return this.#ingest(checked, judgeDelivery(delivery, checked, ignored));
  }

  #check(items: IngestItem[]): CheckedItem[] {
    const now = this.#now();
    return items.map(item => checkItem(item, { ...this.#config, now }));
  }

  async #ingest(
    items: CheckedItem[],
    delivery?: JudgedDelivery,
  ): Promise<IngestResponse | undefined> {
    const events = items.flatMap(item => ('events' in item ? item.events : []));
    const stored =
      events.length > 0 || delivery
        ? await this.#store.add({ events, delivery, receivedAt: this.#now() })
        : { results: [], marked: false };
    if (!stored) {
      return undefined;
    }
    if (stored.marked) {
      this.#onMarked();
    }
    // Implied events have no item.
    const results = stored.results.filter((_, index) => !events[index].implied);
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
