import type { Service } from '@slipway/service-kit';
import {
  ADMIN_TOKEN,
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';

describe('the stream of changes', () => {
  let service: Service;
  let base: string;

  beforeEach(async () => {
    service = await startFeatureFlags({ config: { streams: { most: 1 } } });
    base = await service.start();
  });
  afterEach(() => service.stop());

  it('sends each change to a limited number of clients', async () => {
    const url = `${base}/api/admin/stream`;
    const headers = { authorization: ADMIN_TOKEN };
    const response = await fetch(url, { headers });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response
      .body!.pipeThrough(new TextDecoderStream())
      .getReader();
    const next = async () => (await reader.read()).value;
    expect(await next()).toBe('event: changed\ndata: {"revision":0}\n\n');
    await callsTo(service).create('checkout');
    expect(await next()).toBe('event: changed\ndata: {"revision":1}\n\n');
    await callsTo(service).admin('PUT', '/projects/default', {
      owner: 'group:default/shop',
    });
    expect(await next()).toBe('event: changed\ndata: {"revision":2}\n\n');

    expect((await fetch(url, { headers })).status).toBe(429);
    expect((await fetch(url)).status).toBe(401);
    await reader.cancel();
    await vi.waitUntil(async () => {
      const again = await fetch(url, { headers });
      await again.body?.cancel();
      return again.status === 200;
    });
  });
});
