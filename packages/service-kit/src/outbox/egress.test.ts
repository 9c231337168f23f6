import { type AddressRules, EgressRules } from '@slipway/platform-guards';
import { openOutboxes, type Outboxes } from './__fixtures__/openOutboxes.ts';
import type { Outbox } from './Outbox.ts';
import type { RegisteredEndpoint } from './WebhookEndpoints.ts';

const REFUSED = {
  state: 'pending',
  attempts: 1,
  lastStatus: null,
  lastError: expect.stringMatching(/^Not sent: .* internal network/),
};

describe('where webhooks may go', () => {
  let outboxes: Outboxes;
  let database: Outboxes['database'];
  let receiver: Outboxes['receiver'];
  let endpoint: Outboxes['endpoint'];
  let registered: Outboxes['registered'];
  let log: Outboxes['log'];

  beforeEach(async () => {
    outboxes = await openOutboxes('sqlite');
    ({ database, receiver, endpoint, registered, log } = outboxes);
  });
  afterEach(() => outboxes.close());

  function createOutbox(options: {
    endpoints?: RegisteredEndpoint[];
    allowedHosts?: string[];
    rules?: AddressRules;
  }): Outbox {
    const { endpoints, allowedHosts } = options;
    const rules = options.rules ?? new EgressRules({ allowedHosts });
    return outboxes.create({ endpoints, rules });
  }

  async function send(outbox: Outbox) {
    await database.transaction(trx =>
      outbox.enqueue(trx, { name: 'thing.made', payload: { n: 1 } }),
    );
    outbox.wake();
  }

  const onPort = (host: string) => {
    const url = new URL(endpoint.url);
    return { ...endpoint, url: `http://${host}:${url.port}/hook` };
  };

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    '169.254.169.254',
    '10.0.0.1',
  ])('rejects an endpoint at %s, naming the field', async host => {
    await expect(
      createOutbox({}).endpoints.register(onPort(host)),
    ).rejects.toMatchObject({
      name: 'InvalidRequestError',
      fault: { field: 'url', constraint: 'format' },
    });
    await expect(registered.registered()).resolves.toEqual([]);
  });

  it('sends nothing to a name that resolves to this machine, and logs why', async () => {
    // The name itself does not reveal where it resolves to.
    const outbox = createOutbox({ rules: { judge: () => 'public' } });
    await registered.register(onPort('localhost'));
    await send(outbox);
    await vi.waitFor(async () =>
      expect(await log.deliveries({ limit: 1 })).toMatchObject([REFUSED]),
    );
    expect(receiver.received).toEqual([]);
  });

  it('sends nothing to a stored address that is now forbidden', async () => {
    const outbox = createOutbox({});
    await registered.register(endpoint);
    await send(outbox);
    await vi.waitFor(async () =>
      expect(await log.deliveries({ limit: 1 })).toMatchObject([REFUSED]),
    );
    expect(receiver.received).toEqual([]);
  });

  it('sends to hosts listed by the operator', async () => {
    const outbox = createOutbox({ allowedHosts: ['127.0.0.0/8'] });
    await outbox.endpoints.register(endpoint);
    await send(outbox);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  });

  it('sends to endpoints in the configuration', async () => {
    const outbox = createOutbox({ endpoints: [endpoint] });
    await send(outbox);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  });
});
