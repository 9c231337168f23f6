import { type AddressRules, anyAddress } from '@slipway/platform-guards';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import { InvalidRequestError } from '../errors/ServiceError.ts';

/** A receiver of webhooks. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  /** The kind of receiver, for admins, e.g. `Commit status`; `Webhook` by default. */
  kind?: string;
  /** Key for signing; without it requests are not signed, and `headers` identify the sender. */
  secret?: string;
  /** Names of events; `*` matches all. */
  events: string[];
  /**
   * Headers that are added to, and override, the standard ones, e.g. a credential for the receiver;
   * never stored.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * Builds the request of each attempt from the stored body, for receivers that need the current
   * state: a late delivery then sends what is true at that time. Returns undefined if there is
   * nothing left to send.
   */
  prepare?(body: string): Promise<PreparedRequest | undefined>;
  /** Statuses besides 2xx that count as accepted. */
  acceptedStatuses?: readonly number[];
}

/** The request of one attempt. */
interface PreparedRequest {
  url: string;
  /** JSON. */
  body: string;
}

/** An endpoint that a user registered: requests to it are always signed. */
export type RegisteredEndpoint = WebhookEndpoint & { secret: string };

/**
 * Lists endpoints from another place.
 *
 * @param trx - transaction to read in, if there is one.
 */
export type EndpointSource = (
  trx?: Knex.Transaction,
) => Promise<WebhookEndpoint[]>;

/**
 * The webhook endpoints of a service: those in its configuration, those that the service adds
 * itself, the registered ones in its database, and those of other sources.
 */
export class WebhookEndpoints {
  /** The endpoints in the configuration. */
  readonly configured: readonly WebhookEndpoint[];
  readonly #added: WebhookEndpoint[] = [];
  readonly #sources: EndpointSource[] = [];
  readonly #database: Database;
  readonly #rules: AddressRules;

  /**
   * @param options.configured - endpoints chosen by the operator, which may be at any address.
   * @param options.rules - the addresses allowed for registered endpoints.
   */
  constructor(options: {
    database: Database;
    configured: readonly WebhookEndpoint[];
    rules: AddressRules;
  }) {
    this.configured = options.configured;
    this.#database = options.database;
    this.#rules = options.rules;
  }

  /** Adds an endpoint defined by the service itself, e.g. another part of the platform. */
  add(endpoint: WebhookEndpoint): void {
    this.#added.push(endpoint);
  }

  /** The endpoints defined by the service itself. */
  get added(): readonly WebhookEndpoint[] {
    return this.#added;
  }

  /**
   * Adds endpoints that users manage elsewhere in the service. The same address rules apply to them
   * as to registered endpoints.
   */
  addSource(source: EndpointSource): void {
    this.#sources.push(source);
  }

  /**
   * Lists every endpoint.
   *
   * @param trx - transaction to read in: SQLite has a single connection.
   */
  async all(trx?: Knex.Transaction): Promise<WebhookEndpoint[]> {
    const all = [
      ...this.configured,
      ...this.#added,
      ...(await this.registered(trx)),
    ];
    for (const source of this.#sources) {
      all.push(...(await source(trx)));
    }
    return all;
  }

  /** Lists the registered endpoints, oldest first. */
  async registered(trx?: Knex.Transaction): Promise<RegisteredEndpoint[]> {
    const rows = await (trx ?? this.#database.knex)(
      'webhook_endpoints',
    ).orderBy('created_at');
    return rows.map(row => ({
      id: row.id,
      url: row.url,
      secret: row.secret,
      events: JSON.parse(row.events),
    }));
  }

  /**
   * Stores a registered endpoint. Host names are checked again for every delivery, since they may
   * resolve differently later.
   *
   * @throws InvalidRequestError naming `url` if its address is not allowed.
   */
  async register(endpoint: RegisteredEndpoint): Promise<void> {
    this.assertAllowed(endpoint.url);
    await this.#database.transaction(trx =>
      trx('webhook_endpoints').insert({
        ...endpoint,
        events: JSON.stringify(endpoint.events),
        created_at: Date.now(),
      }),
    );
  }

  /**
   * Checks the address of an endpoint before it is registered.
   *
   * @throws InvalidRequestError naming `url` if users may not register this address.
   */
  assertAllowed(address: string): void {
    const url = URL.parse(address);
    if (!url || this.#rules.judge(url) === 'refused') {
      throw new InvalidRequestError(
        'url must not point into the internal network, unless egress.allowedHosts lists its host',
        { field: 'url', constraint: 'format' },
      );
    }
  }

  /**
   * Removes a registered endpoint.
   *
   * @returns false if not found.
   */
  async remove(id: string): Promise<boolean> {
    const removed = await this.#database.transaction(trx =>
      trx('webhook_endpoints').where({ id }).delete(),
    );
    return removed > 0;
  }

  /** Returns the address rules that apply to an endpoint of {@link all}. */
  rulesOf(endpoint: WebhookEndpoint): AddressRules {
    const isOurs =
      this.configured.includes(endpoint) || this.#added.includes(endpoint);
    return isOurs ? anyAddress : this.#rules;
  }
}
