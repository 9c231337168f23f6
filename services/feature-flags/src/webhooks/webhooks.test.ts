import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';

const SECRET = 'a-secret-of-the-receiver';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

describe('webhooks', () => {
  const received: Received[] = [];
  let statuses: number[];
  let receiver: Server;
  let url: string;

  beforeEach(async () => {
    received.length = 0;
    statuses = [];
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(statuses.shift() ?? 204).end();
      });
    });
    await new Promise<void>(resolve => {
      receiver.listen(0, '127.0.0.1', resolve);
    });
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });

  afterEach(() => new Promise(resolve => receiver.close(resolve)));

  it.each([
    'http://127.0.0.1:9/hook',
    'http://2130706433:9/hook',
    'http://[::1]:9/hook',
    'http://169.254.169.254/latest',
    'https://ada:secret@hooks.example/x',
  ])('are not added at %s', async wrong => {
    const service = await startFeatureFlags();
    const { admin } = callsTo(service);
    const { status, body } = await admin('POST', '/webhooks', { url: wrong });
    expect(status).toBe(400);
    expect(body.message).toMatch(/^url must (?!match)/);
    await service.stop();
  });

  it('send a signed change, repeat it until it is accepted, and are logged', async () => {
    const service = await startFeatureFlags({
      config: { egress: { allowedHosts: ['127.0.0.1'] } },
    });
    await service.start();
    const { admin, create } = callsTo(service);
    const made = await admin('POST', '/webhooks', {
      url,
      secret: SECRET,
      events: ['feature-updated'],
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ events: ['feature-updated'] });
    const list = await admin('GET', '/webhooks');
    expect(list.body.webhooks).toEqual([
      { id: made.body.id, url, events: ['feature-updated'] },
    ]);

    statuses = [500];
    await create('checkout');
    await admin('POST', '/features/checkout/toggle/on');
    await vi.waitUntil(() => received.length === 2, { timeout: 15_000 });

    const [first, again] = received;
    expect(JSON.parse(first.body)).toEqual({
      event: 'feature-updated',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      data: {
        name: 'checkout',
        enabled: true,
        project: 'default',
        strategies: [{ name: 'default', parameters: {} }],
      },
      createdBy: 'token:test-admin',
    });
    const digest = createHmac('sha256', SECRET)
      .update(first.body)
      .digest('hex');
    expect(first.headers).toMatchObject({
      'x-slipway-event': 'feature-updated',
      'x-slipway-signature-256': `sha256=${digest}`,
      'content-type': 'application/json',
    });
    // Receivers recognise repeated deliveries by their id.
    expect(again.body).toBe(first.body);
    expect(again.headers['x-slipway-delivery']).toBe(
      first.headers['x-slipway-delivery'],
    );

    await vi.waitUntil(async () => {
      const { body } = await admin('GET', '/webhooks/deliveries');
      return body.deliveries[0].state === 'delivered';
    });
    const { body } = await admin('GET', '/webhooks/deliveries');
    expect(body.deliveries).toEqual([
      expect.objectContaining({
        webhookId: made.body.id,
        event: 'feature-updated',
        attempts: 2,
        lastStatus: 204,
        lastError: null,
      }),
    ]);

    expect((await admin('DELETE', `/webhooks/${made.body.id}`)).status).toBe(
      200,
    );
    expect((await admin('DELETE', `/webhooks/${made.body.id}`)).status).toBe(
      404,
    );
    await service.stop();
  });

  it('send every change if no filter is given, wherever they are added', async () => {
    const service = await startFeatureFlags({
      config: {
        egress: { allowedHosts: ['127.0.0.1'] },
        webhooks: [{ id: 'team', url, secret: SECRET }],
      },
    });
    await service.start();
    const { admin, create } = callsTo(service);
    const { body } = await admin('POST', '/webhooks', { url });
    expect(body.events).toEqual(['*']);
    await create('checkout');
    await admin('POST', '/features/checkout/toggle/on');
    await admin('DELETE', '/features/checkout');
    await vi.waitUntil(() => received.length === 6, { timeout: 15_000 });
    const names = received.map(each => JSON.parse(each.body).event).sort();
    expect(names).toEqual([
      'feature-archived',
      'feature-archived',
      'feature-created',
      'feature-created',
      'feature-updated',
      'feature-updated',
    ]);
    await service.stop();
  });

  it('are also sent for configured channels, but not for a failed change', async () => {
    const service = await startFeatureFlags({
      config: { webhooks: [{ id: 'team', url, secret: SECRET }] },
    });
    await service.start();
    const { create } = callsTo(service);
    await create('checkout');
    expect((await create('checkout')).status).toBe(409);
    await vi.waitUntil(() => received.length === 1);
    expect(JSON.parse(received[0].body)).toMatchObject({
      event: 'feature-created',
      data: { name: 'checkout' },
    });
    await service.stop();
  });
});
