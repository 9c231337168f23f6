import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database, Service } from '@slipway/service-kit';
import {
  FakePortal,
  openTestDatabase,
  type testDatabaseClients,
} from '@slipway/service-kit/testing';
import {
  API_TOKEN,
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../../__testUtils__/startAnalytics.ts';
import { Receiver } from './Receiver.ts';
import { defineAnalytics } from '../../service.ts';

export const NOW = Date.parse('2026-11-21T10:20:00.000Z');
export const SECRETS_KEY = 'a key of a test with more than 32 characters';
const CONFIGURED = {
  kind: 'webhook',
  id: 'declared',
  url: 'http://127.0.0.1:1/x',
  secret: 'a-secret-of-the-receiver',
};

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A service whose admin `ada` creates destinations of the project `shop`, and their receiver. */
export class DestinationsHarness {
  now = NOW;
  readonly receiver = new Receiver();
  /** An address of the receiver that contains a secret. */
  readonly url: string;
  readonly database: Database;
  service!: Service;
  readonly #dispose: () => Promise<void>;
  readonly #portal: FakePortal;
  /** Keeps the events across restarts. */
  readonly #directory = mkdtempSync(join(tmpdir(), 'destinations-'));
  readonly #headers: Record<string, Record<string, string>> = {
    nobody: {},
    token: { authorization: `Bearer ${API_TOKEN}` },
  };

  private constructor(options: {
    portal: FakePortal;
    receiver: Receiver;
    url: string;
    database: Database;
    dispose: () => Promise<void>;
  }) {
    this.#portal = options.portal;
    this.receiver = options.receiver;
    this.url = options.url;
    this.database = options.database;
    this.#dispose = options.dispose;
  }

  static async start(
    client: ReturnType<typeof testDatabaseClients>[number],
  ): Promise<DestinationsHarness> {
    const portal = await FakePortal.start({
      groups: {
        'user:default/ada': ['group:default/platform-admins'],
        'user:default/grace': [],
      },
    });
    const receiver = new Receiver();
    const url = `${await receiver.start()}/hook?token=hidden-in-the-address`;
    const harness = new DestinationsHarness({
      portal,
      receiver,
      url,
      ...(await openTestDatabase(client, defineAnalytics())),
    });
    for (const user of ['ada', 'grace']) {
      const token = await portal.token(`user:default/${user}`);
      harness.#headers[user] = { authorization: `Bearer ${token}` };
    }
    await harness.startService(SECRETS_KEY);
    return harness;
  }

  async startService(secretsKey: string): Promise<void> {
    this.service = await startAnalytics({
      now: () => this.now,
      directory: this.#directory,
      database: this.database,
      config: {
        portal: { baseUrl: this.#portal.baseUrl },
        rateLimit: { enabled: false },
        egress: { allowedHosts: ['127.0.0.1'] },
        secretsKey,
        projects: [
          {
            id: 'shop',
            name: 'Shop',
            keys: [{ name: 'test', key: PROJECT_KEY }],
            apiTokens: [{ name: 'test', key: API_TOKEN }],
            destinations: [CONFIGURED],
          },
        ],
      },
    });
    await this.service.start();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    this.receiver.stop();
    await this.#portal.stop();
    await this.#dispose();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Sends a request about the destinations, as the admin unless another user is given. */
  ask(method: Method, path = '', options?: { as?: string; payload?: object }) {
    return this.send(method, `/api/projects/shop/destinations${path}`, options);
  }

  /** Sends a request, as the admin unless another user is given. */
  async send(
    method: Method,
    url: string,
    { as = 'ada', payload }: { as?: string; payload?: object } = {},
  ) {
    const response = await this.service.app.inject({
      method,
      url,
      headers: this.#headers[as],
      payload,
    });
    return { status: response.statusCode, body: response.json() };
  }

  /** Creates a webhook at the receiver, unless the settings say otherwise. */
  create(payload: object) {
    return this.ask('POST', '', {
      payload: { kind: 'webhook', url: this.url, ...payload },
    });
  }

  /** Creates a bucket at the receiver. */
  createBucket(payload: object) {
    return this.ask('POST', '', {
      payload: {
        kind: 's3',
        endpoint: new URL(this.url).origin,
        bucket: 'events-of-shop',
        prefix: 'raw/',
        access_key_id: 'AKIDEXAMPLE',
        secret_access_key: 'wJalrXUtnFEMI',
        format: 'ndjson',
        ...payload,
      },
    });
  }

  async stateOf(id: string) {
    const { body } = await this.ask('GET', '', { as: 'grace' });
    return body.destinations.find((each: { id: string }) => each.id === id);
  }

  /** Waits until a destination has received a number of events. */
  async delivered(id: string, count: number): Promise<void> {
    await vi.waitUntil(
      async () => (await this.stateOf(id)).delivered === count,
      { timeout: 30_000, interval: 200 },
    );
  }

  capture(uuid: string) {
    return clientOf(this.service).capture({
      uuid,
      event: 'bought',
      distinct_id: 'ada',
    });
  }

  /** Lists the entries of the audit log, newest first. */
  async auditLog() {
    const audit = await this.service.app.inject({
      url: '/api/v1/audit',
      headers: this.#headers.ada,
    });
    return audit.json().entries;
  }
}
