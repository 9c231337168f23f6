import { EgressRules } from '@slipway/platform-guards';
import { LeasedQueue } from '../queue/LeasedQueue.ts';
import { testDatabaseClients } from '../testing/databases.ts';
import { openOutboxes, type Outboxes } from './__fixtures__/openOutboxes.ts';
import { Receiver } from './__fixtures__/Receiver.ts';
import { backOff, type Outbox } from './Outbox.ts';

/** Waits until a check passes; long enough for a busy machine. */
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check);

describe.each(testDatabaseClients())('the outbox on %s', client => {
  let outboxes: Outboxes;
  let database: Outboxes['database'];
  let receiver: Outboxes['receiver'];
  let endpoint: Outboxes['endpoint'];
  let registered: Outboxes['registered'];
  let log: Outboxes['log'];
  const clock = { offset: 0 };

  beforeEach(async () => {
    outboxes = await openOutboxes(client);
    ({ database, receiver, endpoint, registered, log } = outboxes);
    clock.offset = 0;
  });
  afterEach(() => outboxes.close());

  function createOutbox(endpoints = [endpoint]): Outbox {
    return outboxes.create({
      endpoints,
      rules: new EgressRules({ allowedHosts: ['127.0.0.1'] }),
      now: () => Date.now() + clock.offset,
    });
  }

  const enqueue = (outbox: Outbox, name = 'thing.made', payload = { n: 1 }) =>
    database.transaction(trx => outbox.enqueue(trx, { name, payload }));

  it('delivers committed events, signed, to their subscribers', async () => {
    const outbox = createOutbox();
    outbox.wake();
    await enqueue(outbox);
    await enqueue(outbox, 'thing.broken');
    outbox.wake();

    await soon(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]).toMatchObject({
      event: 'thing.made',
      body: { n: 1 },
    });
    await soon(async () =>
      expect(await log.deliveries({ limit: 10 })).toMatchObject([
        { state: 'delivered', attempts: 1, lastStatus: 204, lastError: null },
      ]),
    );
  });

  it('sends the headers of endpoints added by the service', async () => {
    const sent: (string | undefined)[] = [];
    receiver.answer = ({ headers }) => {
      sent.push(headers.authorization, headers['content-type']);
      return 204;
    };
    const outbox = createOutbox([]);
    outbox.endpoints.add({
      ...endpoint,
      headers: {
        Authorization: 'Bearer token',
        'Content-Type': 'application/cloudevents+json',
      },
    });
    outbox.wake();
    await enqueue(outbox);
    outbox.wake();
    await soon(() =>
      expect(sent).toEqual(['Bearer token', 'application/cloudevents+json']),
    );
  });

  it('sends an event only to the endpoints it names, with what they make of it', async () => {
    const outbox = createOutbox();
    outbox.endpoints.addSource(async () => [
      {
        ...endpoint,
        id: 'chosen',
        events: [],
        prepare: async body => ({
          url: endpoint.url,
          body: JSON.stringify({ text: JSON.parse(body).n }),
        }),
      },
    ]);
    await database.transaction(trx =>
      outbox.enqueue(trx, {
        name: 'thing.made',
        payload: { n: 1 },
        to: ['chosen'],
      }),
    );
    outbox.wake();
    await soon(() =>
      expect(receiver.received).toMatchObject([{ body: { text: 1 } }]),
    );
    expect(await log.deliveries({ limit: 9 })).toHaveLength(1);
  });

  it('tries an endpoint once without storing anything', async () => {
    const outbox = createOutbox();
    const event = { name: 'test', payload: { n: 1 } };
    await expect(outbox.sendOnce(endpoint, event)).resolves.toEqual({
      status: 204,
      error: null,
    });
    receiver.answer = () => 500;
    await expect(outbox.sendOnce(endpoint, event)).resolves.toEqual({
      status: 500,
      error: 'The receiver answered 500',
    });
    expect(receiver.asked).toBe(2);
    expect(await log.deliveries({ limit: 9 })).toEqual([]);
  });

  it('sends nothing that was rolled back', async () => {
    const outbox = createOutbox();
    await expect(
      database.transaction(async trx => {
        await outbox.enqueue(trx, { name: 'thing.made', payload: {} });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await expect(log.deliveries({ limit: 10 })).resolves.toEqual([]);
  });

  it('retries with the same id until accepted', async () => {
    let refusals = 2;
    receiver.answer = () => {
      refusals -= 1;
      return refusals >= 0 ? 503 : 200;
    };
    const outbox = createOutbox();
    await enqueue(outbox);
    const [{ id }] = await log.deliveries({ limit: 1 });

    const untilRefused = async (attempts: number) => {
      outbox.wake();
      await soon(async () =>
        expect(await log.deliveries({ limit: 1 })).toMatchObject([
          {
            state: 'pending',
            attempts,
            lastStatus: 503,
            lastError: 'The receiver answered 503',
          },
        ]),
      );
      clock.offset += 10_000;
    };
    await untilRefused(1);
    await untilRefused(2);
    // The second attempt may still be in progress, and a third is due only after a further pause.
    await soon(() => {
      clock.offset += 10_000;
      outbox.wake();
      expect(receiver.received).toHaveLength(1);
    });
    expect(receiver.received[0].id).toBe(id);
  });

  it('does not follow a redirect', async () => {
    receiver.answer = () => 302;
    const outbox = createOutbox();
    await enqueue(outbox);
    outbox.wake();
    await soon(async () =>
      expect(await log.deliveries({ limit: 1 })).toMatchObject([
        { state: 'pending', lastStatus: 302 },
      ]),
    );
  });

  it('gives up after a day, and records it', async () => {
    const outbox = createOutbox([{ ...endpoint, url: 'http://127.0.0.1:1/' }]);
    await enqueue(outbox);
    clock.offset = 24 * 3_600_000;
    outbox.wake();
    await soon(async () =>
      expect(await log.deliveries({ limit: 1 })).toMatchObject([
        { state: 'given_up', lastStatus: null },
      ]),
    );
    const [{ lastError }] = await log.deliveries({ limit: 1 });
    expect(lastError).toMatch(/^The receiver could not be reached/);
  });

  it('retries what cannot be built, and gives up after a day', async () => {
    const outbox = createOutbox([]);
    let builds = 0;
    outbox.endpoints.addSource(async () => [
      {
        ...endpoint,
        async prepare() {
          builds += 1;
          throw new Error('No current state: password=x');
        },
      },
    ]);
    await enqueue(outbox);
    outbox.wake();
    await soon(async () =>
      expect(await log.deliveries({ limit: 9 })).toMatchObject([
        { state: 'pending', lastError: 'The request could not be built' },
      ]),
    );
    clock.offset = 25 * 3_600_000;
    outbox.wake();
    await soon(async () =>
      expect(await log.deliveries({ limit: 9 })).toMatchObject([
        { state: 'given_up' },
      ]),
    );
    expect(builds).toBe(2);
  });

  it('sends once despite two concurrent workers', async () => {
    const workers = [createOutbox(), createOutbox()];
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        enqueue(workers[n % 2], 'thing.made', { n }),
      ),
    );
    workers.forEach(outbox => outbox.wake());
    await soon(() => expect(receiver.received).toHaveLength(20));
    await new Promise(resolve => {
      setTimeout(resolve, 100);
    });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
  });

  it('does not delay endpoints because of one that hangs', async () => {
    const tarpit = new Receiver();
    tarpit.answer = () => undefined;
    const hanging = { ...(await tarpit.listen()), id: 'tarpit' };
    const outbox = createOutbox([hanging, endpoint]);
    for (let n = 0; n < 40; n++) {
      await enqueue(outbox, 'thing.made', { n });
    }
    outbox.wake();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(40));
    await enqueue(outbox);
    outbox.wake();
    await vi.waitFor(() => expect(receiver.received).toHaveLength(41));
    expect(tarpit.asked).toBeLessThan(12);
    await outbox.stop();
    tarpit.close();
  });

  it('takes over the attempts of a dead worker', async () => {
    await enqueue(createOutbox());
    await new LeasedQueue({ database, name: 'webhooks' }).lease({
      now: Date.now(),
      leaseMs: 60_000,
      limit: 8,
    });
    const other = createOutbox();
    other.wake();
    await new Promise(resolve => {
      setTimeout(resolve, 100);
    });
    expect(receiver.received).toEqual([]);

    clock.offset = 61_000;
    other.wake();
    await soon(() => expect(receiver.received).toHaveLength(1));
  });

  it('sends to registered endpoints until they are removed', async () => {
    const outbox = createOutbox([]);
    await registered.register({ ...endpoint, events: ['*'] });
    await enqueue(outbox, 'thing.anything');
    outbox.wake();
    await soon(() => expect(receiver.received).toHaveLength(1));

    await enqueue(outbox);
    await expect(registered.remove(endpoint.id)).resolves.toBe(true);
    await expect(registered.remove(endpoint.id)).resolves.toBe(false);
    outbox.wake();
    await soon(async () =>
      expect((await log.deliveries({ limit: 1 }))[0]).toMatchObject({
        state: 'given_up',
        lastError: 'The endpoint was removed',
      }),
    );
    await expect(log.purge(Date.now() + 1_000)).resolves.toBe(2);
  });
});

it('backs off from two seconds to an hour', () => {
  expect([1, 2, 3, 12, 40].map(n => backOff(n, () => 0))).toEqual([
    2_000, 4_000, 8_000, 3_600_000, 3_600_000,
  ]);
  expect(backOff(1, () => 1)).toBe(1_600);
});
