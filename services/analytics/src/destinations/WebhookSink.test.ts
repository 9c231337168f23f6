import { anyAddress } from '@slipway/platform-guards';
import type { ExportedEvent } from '../export/eventPages.ts';
import { Receiver } from './__testUtils__/Receiver.ts';
import { WebhookSink } from './WebhookSink.ts';

const event = (uuid: string): ExportedEvent => ({
  uuid,
  event: 'opened',
  distinct_id: 'ada',
  timestamp: '2026-11-21T10:00:00.000Z',
  created_at: '2026-11-21T10:00:00.000Z',
  properties: {},
});

it('names the same events in the same way, and others differently', async () => {
  const receiver = new Receiver();
  const url = await receiver.start();
  const sink = new WebhookSink(
    { kind: 'webhook', id: 'crm', url, secret: 'a-secret-of-the-receiver' },
    anyAddress,
  );
  const batches = [['a'], ['a'], ['a', 'b'], ['a', 'c'], ['a', 'b', 'c']];
  for (const uuids of batches) {
    await sink.send(
      { projectId: 'shop', events: uuids.map(event), isTest: false },
      { signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 },
    );
  }
  receiver.stop();
  expect(
    receiver.received.map(
      ({ request }) => request.headers['x-slipway-delivery'],
    ),
  ).toEqual([
    'shop:a:a:1',
    'shop:a:a:1',
    'shop:a:b:2',
    'shop:a:c:2',
    'shop:a:c:3',
  ]);
});
