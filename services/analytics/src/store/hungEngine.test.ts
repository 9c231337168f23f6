import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Service } from '@slipway/service-kit';
import {
  clientOf,
  startAnalytics,
  testEngines,
} from '../__testUtils__/startAnalytics.ts';

describe.each(testEngines)('a hung %s', engine => {
  let directory: string;
  let service: Service;
  let client: ReturnType<typeof clientOf>;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'hung-engine-'));
    service = await startAnalytics({
      directory,
      config: { events: { directory, engine, querySeconds: 5 } },
    });
    client = clientOf(service);
  });

  afterEach(async () => {
    await service.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('causes 503 with Retry-After, delays no event, and is replaced', async () => {
    const sent = { event: 'opened', distinct_id: 'ada' };
    await client.capture(sent);
    expect(await client.count()).toBe(1);
    const pids = execFileSync('pgrep', [
      '-P',
      `${process.pid}`,
      '-f',
      directory,
    ]);
    const pid = Number(String(pids).trim());
    process.kill(pid, 'SIGSTOP');

    // A query without a cached result.
    const asked = client.query({ select: ['count() as all'], after: 'all' });
    expect((await client.capture(sent)).status).toBe(200);
    const answer = await asked;
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
      body: { type: 'server_error', code: 'unavailable', attr: null },
    });
    expect(answer.body.detail).not.toMatch(/signal|process|sqlite|chdb/i);

    expect(await client.count()).toBe(2);
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
