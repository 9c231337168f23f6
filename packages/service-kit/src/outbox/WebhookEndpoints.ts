import { type AddressRules, anyAddress } from '@slipway/platform-guards';
import type { Knex } from 'knex';
import type { Database } from '../database/openDatabase.ts';
import { InvalidRequestError } from '../errors/ServiceError.ts';

/** A receiver of webhooks. */
export interface WebhookEndpoint {
  id: string;
  url: string;
  /** Key of the signature; without one there is none, and `headers` say who sends. */
  secret?: string;
  /** Names of events; `*` is every one. */
  events: string[];
  /** Sent along and over the own ones, e.g. a credential of the receiver; never stored. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Makes the request of each attempt of what was written down, for receivers that keep the last state
   * they are told: what is sent late is then what holds by now. Undefined where there is nothing to tell any more.
   */
  prepare?(body: string): Promise<PreparedRequest | undefined>;
  /** Answers beside any 2xx that are as good as taken. */
  takenStatuses?: readonly number[];
}

/** The request of one attempt. */
export interface PreparedRequest {
  url: string;
  /** JSON. */
  body: string;
}

/** An endpoint that somebody registered: what it is sent is always signed. */
export type RegisteredEndpoint = WebhookEndpoint & { secret: string };

/**
 * The endpoints of a service's webhooks: those of the configuration, those that the
 * service adds itself, and those in its database that somebody registered.
 */
export class WebhookEndpoints {
  /** The endpoints of the configuration. */
  readonly configured: readonly WebhookEndpoint[];
  readonly #added: WebhookEndpoint[] = [];
  readonly #database: Database;
  readonly #rules: AddressRules;

  /**
   * @param options.configured - where they are is the operator's choice.
   * @param options.rules - where endpoints may be that somebody registers.
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

  /** Adds an endpoint of the service's own making, e.g. of another part of the platform. */
  add(endpoint: WebhookEndpoint): void {
    this.#added.push(endpoint);
  }

  /** Lists every endpoint. @param trx - to read within it: SQLite has one connection. */
  async all(trx?: Knex.Transaction): Promise<WebhookEndpoint[]> {
    return [
      ...this.configured,
      ...this.#added,
      ...(await this.registered(trx)),
    ];
  }

  /** Lists the endpoints that somebody registered, oldest first. */
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
   * Stores an endpoint that somebody asked for. A name is looked at whenever something is
   * sent: where it leads may change.
   *
   * @throws InvalidRequestError naming `url` when nothing may be sent there.
   */
  async register(endpoint: RegisteredEndpoint): Promise<void> {
    const url = URL.parse(endpoint.url);
    if (!url || this.#rules.judge(url) === 'refused') {
      throw new InvalidRequestError(
        'url must not point into the internal network, unless egress.allowedHosts lists its host',
        { field: 'url', constraint: 'format' },
      );
    }
    await this.#database.transaction(trx =>
      trx('webhook_endpoints').insert({
        ...endpoint,
        events: JSON.stringify(endpoint.events),
        created_at: Date.now(),
      }),
    );
  }

  /** Removes an endpoint that was registered. @returns false when there is no such one. */
  async remove(id: string): Promise<boolean> {
    const removed = await this.#database.transaction(trx =>
      trx('webhook_endpoints').where({ id }).delete(),
    );
    return removed > 0;
  }

  /** The addresses to which an endpoint of {@link all} may be sent. */
  rulesOf(endpoint: WebhookEndpoint): AddressRules {
    const isOurs =
      this.configured.includes(endpoint) || this.#added.includes(endpoint);
    return isOurs ? anyAddress : this.#rules;
  }
}
