import { gzipSync } from 'node:zlib';
import type { Service } from '@slipway/service-kit';
import { event } from '../__testUtils__/analyticsSuite.ts';
import {
  clientOf,
  PROJECT_KEY,
  startAnalytics,
} from '../__testUtils__/startAnalytics.ts';

describe('bodies', () => {
  let service: Service;
  let client: ReturnType<typeof clientOf>;
  const gzip = { 'content-encoding': 'gzip' };

  beforeAll(async () => {
    service = await startAnalytics({
      config: { capture: { eventsPerMinute: 1_000_000 } },
    });
    client = clientOf(service);
  });

  afterAll(() => service.stop());

  it('decompress gzip with and without a header', async () => {
    const packed = gzipSync(
      JSON.stringify({ api_key: PROJECT_KEY, batch: [event] }),
    );
    expect((await client.post('/api/batch', packed, gzip)).status).toBe(200);
    expect((await client.post('/batch/', packed)).status).toBe(200);
    const plain = { 'content-type': 'text/plain' };
    expect((await client.post('/batch/', packed, plain)).status).toBe(200);
    expect((await client.post('/api/batch', 'no gzip', gzip)).status).toBe(400);
    const other = { 'content-encoding': 'br' };
    expect((await client.post('/api/batch', packed, other)).status).toBe(400);
  });

  it('are rejected if they exceed the limit once decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(21 * 1024 * 1024, ' '));
    expect(bomb.length).toBeLessThan(100_000);
    expect((await client.post('/api/batch', bomb, gzip)).status).toBe(413);
    expect((await client.post('/batch/', bomb, gzip)).status).toBe(413);
    const large = { ...event, properties: { text: 'x'.repeat(1024 * 1024) } };
    const answer = await client.capture(large);
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large' },
    });
    expect((await client.batch([large, large])).status).toBe(200);
  });

  it('do no harm if they are malicious', async () => {
    const before = await client.count();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const hostile = [
      `{"api_key":"${PROJECT_KEY}","event":"a","distinct_id":"b","properties":{"x":${deep}}}`,
      `{"api_key":"${PROJECT_KEY}","event":"a","distinct_id":"b","properties":{"__proto__":{"polluted":true}}}`,
      `{"api_key":"${PROJECT_KEY}","event":"a\\u0000b","distinct_id":"b"}`,
      `{"api_key":"${PROJECT_KEY}","event":"a\\ud800","distinct_id":"b"}`,
      '[]',
      'null',
      '"text"',
    ];
    for (const body of hostile) {
      const { status } = await client.post('/api/capture', body);
      expect([400, 401]).toContain(status);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await client.count()).toBe(before);
    // An SDK would lose its whole batch, so invalid text is repaired.
    const repaired = await client.post(
      '/batch/',
      `{"api_key":"${PROJECT_KEY}","batch":[{"event":"odd","distinct_id":7,"timestamp":"x","uuid":1,"properties":{"t":"a\\u0000\\ud800"}}]}`,
    );
    expect(repaired.status).toBe(200);
    const { body } = await client.query({
      select: ['distinct_id', 'properties.t'],
      event: 'odd',
    });
    expect(body.results).toEqual([['7', 'a\u{fffd}\u{fffd}']]);
  });
});
