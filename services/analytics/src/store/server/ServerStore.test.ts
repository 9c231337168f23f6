import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { UnavailableError } from '@slipway/service-kit';
import {
  clickhouseConfig,
  clickhouseUrl,
} from '../../__testUtils__/clickhouseSetup.ts';
import type { AnalyticsEvent } from '../../events/AnalyticsEvent.ts';
import { planEventsQuery } from '../../query/planEventsQuery.ts';
import { EventStore } from '../EventStore.ts';
import { schemaOf } from '../sql/clickhouseTables.ts';
import { EventJournal } from '../sqlite/EventJournal.ts';
import { JournalQueries } from '../sqlite/JournalQueries.ts';
import { ServerStore } from './ServerStore.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');

/** Returns events from two years, so that a block becomes two parts. */
function events(count: number): AnalyticsEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    projectId: 'shop',
    uuid: randomUUID(),
    event: 'opened',
    distinctId: `user-${index % 7}`,
    timestamp: NOW - index * 40 * 24 * 3_600_000,
    createdAt: NOW,
    properties: '{"plan":"pro","large":12345678901234567890}',
  }));
}

const counted = planEventsQuery(
  {
    kind: 'EventsQuery',
    select: ['count()', 'count(distinct uuid)'],
    after: 'all',
  },
  { projectId: 'shop', now: NOW },
);

/** A proxy to a server that can lose responses. */
class LossyProxy {
  losesAnswers = false;
  readonly #server: Server;
  readonly #target: URL;

  constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer(async (incoming, outgoing) => {
      const body = await buffer(incoming);
      const isLost =
        this.losesAnswers && String(incoming.url).includes('INSERT');
      const forwarded = request(
        {
          host: this.#target.hostname,
          port: this.#target.port,
          path: incoming.url,
          method: incoming.method,
          headers: incoming.headers,
        },
        async answer => {
          const text = await buffer(answer);
          if (isLost) {
            incoming.socket.destroy();
          } else {
            outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
            outgoing.end(text);
          }
        },
      );
      forwarded.end(body);
    });
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${this.#target.pathname}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

describe.runIf(clickhouseUrl())('a server', () => {
  let directory: string;
  let proxy: LossyProxy;
  let url: string;
  let journal: EventJournal;
  let store: EventStore;

  const serverStore = (address: string) =>
    new ServerStore({
      url: address,
      username: 'default',
      password: '',
      layout: {},
      timeoutMs: 20_000,
      memoryBytes: 512 * 1024 ** 2,
      // Do not hide duplicates.
      isFinal: false,
    });

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'server-store-'));
    proxy = new LossyProxy(clickhouseConfig(directory).url);
    url = await proxy.start();
    journal = new EventJournal({ directory });
    store = new EventStore({
      journal,
      queries: new JournalQueries({
        filename: journal.filename,
        timeoutMs: 20_000,
        idleMs: 1_000,
      }),
      onFallBack: error => {
        throw error;
      },
    });
    store.useColumns(serverStore(url));
  });

  afterEach(async () => {
    await store.close();
    proxy.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('stores a block once if the response to its insert was lost', async () => {
    await store.append(events(50));
    proxy.losesAnswers = true;
    await expect(store.query(counted)).rejects.toThrow(UnavailableError);
    expect(journal.moves.unfinished()).toEqual({ first: 1, last: 50 });
    // The server has the block, so it is not sent again.
    expect(await store.query(counted)).toEqual({ rows: [[50, 50]] });

    await store.append(events(5));
    await expect(store.query(counted)).rejects.toThrow(UnavailableError);
    proxy.losesAnswers = false;
    expect(await store.query(counted)).toEqual({ rows: [[55, 55]] });
    expect(journal.moves.unfinished()).toBeUndefined();
  });

  it('stores a block once if it is retried during the first attempt', async () => {
    await store.append(events(50));
    const columns = serverStore(url);
    await columns.start();
    const range = { first: 1, last: 50 };
    await Promise.all([
      columns.take(journal, range, { isRepeated: false }),
      columns.take(journal, range, { isRepeated: true }),
      columns.take(journal, range, { isRepeated: false }),
    ]);
    await columns.close();
    // The journal does not know that the server has the block: this is another attempt.
    expect(await store.query(counted)).toEqual({ rows: [[50, 50]] });
  });

  it('completes a block that is stored in part and no longer remembered', async () => {
    await store.append(events(50));
    const columns = serverStore(url);
    await columns.start();
    // Use a different token, as if the first one had expired after a week.
    await columns.take(journal, { first: 11, last: 30 }, { isRepeated: false });
    await columns.take(journal, { first: 1, last: 50 }, { isRepeated: true });
    const { rows } = await columns.query(counted, {
      groupTypes: [],
      copyPeople: async () => ({ hasSharedIds: false }),
    });
    await columns.close();
    expect(rows).toEqual([[50, 50]]);
  });

  it('receives events that were acknowledged while it was unreachable', async () => {
    proxy.stop();
    await store.append(events(20));
    await expect(store.query(counted)).rejects.toThrow(UnavailableError);
    store.useColumns(serverStore(clickhouseConfig(directory).url));
    expect(await store.query(counted)).toEqual({ rows: [[20, 20]] });
  });

  it('returns the events of two services to both', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'server-store-'));
    const journals = new EventJournal({ directory: other });
    const second = new EventStore({
      journal: journals,
      queries: new JournalQueries({
        filename: journals.filename,
        timeoutMs: 20_000,
        idleMs: 1_000,
      }),
      onFallBack: () => undefined,
    });
    second.useColumns(serverStore(url));
    await store.append(events(20));
    await second.append(events(30));
    await second.moveMany(1);
    expect(await store.query(counted)).toEqual({ rows: [[50, 50]] });
    await second.close();
    await rm(other, { recursive: true, force: true });
  });
});

it('creates replicated shards of events on a cluster, and persons on every machine', () => {
  const statements = schemaOf({
    cluster: 'main',
    isReplicated: true,
    isDistributed: true,
    recognisesBlocks: true,
  });
  const engines = statements.flatMap(
    each => /ENGINE = (.*)/.exec(each)?.[1] ?? [],
  );
  expect(engines).toEqual([
    "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/analytics/events_local', '{replica}', created_at)",
    "Distributed('main', 'analytics', 'events_local', sipHash64(distinct_id))",
    "ReplicatedReplacingMergeTree('/clickhouse/tables/all/analytics/person_ids', '{shard}-{replica}', version)",
    "ReplicatedReplacingMergeTree('/clickhouse/tables/all/analytics/persons', '{shard}-{replica}', version)",
    "ReplicatedReplacingMergeTree('/clickhouse/tables/all/analytics/groups', '{shard}-{replica}', version)",
  ]);
  expect(statements.every(each => each.includes("ON CLUSTER 'main'"))).toBe(
    true,
  );
});
