import {
  IngestItemResult,
  IngestResponse,
} from '@slipway/plugin-delivery-lake-common';
import { DeliveryLakeConfig } from '../config';
import { checkEvent, impliedChange } from '../events/checkEvent';
import {
  digestEvent,
  IncomingEvent,
  IngestItem,
  JudgedDelivery,
  LakeEvent,
  RawDelivery,
  storable,
  TEXT_LIMITS,
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

/** Pages make links of addresses: one that a browser would run (`javascript:`) is none. */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address)
    ? cut(address, TEXT_LIMITS.url)
    : undefined;
}

/**
 * The name under which the lake keeps a service: an entity ref of a component and
 * its plain name are the same one. `component:default/x` is `x`,
 * `component:shop/x` is `shop/x`.
 */
function serviceName(reported: string): string {
  const ref = /^component:(?:default\/)?(.+)$/i.exec(reported.trim());
  return ref ? ref[1] : reported.trim();
}

/** dev, staging or prod where configuration knows the name, else the name in lower case. */
function environmentName(
  reported: string,
  environments: DeliveryLakeConfig['environments'],
): string {
  const name = reported.trim().toLocaleLowerCase('en-US');
  return environments.get(name) ?? name;
}

/**
 * Brings an event into the form that is kept, wherever it came from: one name for
 * one service, known environments, SHAs in lower case, texts that a database
 * keeps, addresses of web pages alone. Texts that nothing is found by are cut to
 * their limit.
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
        reason: ignored ?? 'It contains nothing for the lake',
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
