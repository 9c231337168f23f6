import type { Service } from '@slipway/service-kit';
import {
  ADMIN_TOKEN,
  callsTo,
  startFeatureFlags,
} from '../__testUtils__/startFeatureFlags.ts';

/** Matches an event with a revision. */
const revision = (number: number) =>
  new RegExp(
    String.raw`^event: changed\ndata: {"revision":${number},"ageMs":\d+}\n\n$`,
  );

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
    expect(await next()).toMatch(revision(0));
    await callsTo(service).create('checkout');
    expect(await next()).toMatch(revision(1));
    await callsTo(service).admin('PUT', '/projects/default', {
      owner: 'group:default/shop',
    });
    expect(await next()).toMatch(revision(2));

    expect((await fetch(url, { headers })).status).toBe(429);
    expect((await fetch(url)).status).toBe(401);
    await reader.cancel();
    await vi.waitUntil(async () => {
      const again = await fetch(url, { headers });
      await again.body?.cancel();
      return again.status === 200;
    });
  });

  it('says how long ago the last change was', async () => {
    await callsTo(service).create('checkout');
    await new Promise(resolve => setTimeout(resolve, 50));
    const response = await fetch(`${base}/api/admin/stream`, {
      headers: { authorization: ADMIN_TOKEN },
    });
    const { value } = await response
      .body!.pipeThrough(new TextDecoderStream())
      .getReader()
      .read();
    const [, data] = /^data: (.*)$/m.exec(value!)!;
    const { revision: current, ageMs } = JSON.parse(data);
    expect(current).toBe(1);
    expect(ageMs).toBeGreaterThanOrEqual(45);
    expect(ageMs).toBeLessThan(30_000);
  });
});
