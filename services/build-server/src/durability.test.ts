import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { openDatabase } from '@slipway/service-kit';
import { killDuring } from '@slipway/service-kit/testing';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import {
  startBuildProcess,
  writeJobs,
} from './__testUtils__/startBuildServer.ts';

/** Raised by hand; each takes about three seconds. */
const KILLS = Number(process.env.KILLS ?? 3);

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'build-kill-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

/** Processes whose arguments contain a text. */
function processesWith(text: string): string[] {
  return execFileSync('ps', ['-eo', 'pid,args'])
    .toString()
    .split('\n')
    .filter(line => line.includes(text) && !line.includes('ps -eo'));
}

/**
 * Creates the partial cache and artifact files that a crash leaves, hours ago.
 *
 * @returns the files.
 */
async function leaveParts(data: string): Promise<string[]> {
  const parts: string[] = [];
  for (const folder of ['caches', 'artifacts']) {
    await mkdir(path.join(data, folder), { recursive: true });
    const [old, fresh] = ['old.part', 'fresh.part'].map(name =>
      path.join(data, folder, name),
    );
    await writeFile(old, 'half');
    await utimes(old, 1, 1);
    await writeFile(fresh, 'half');
    parts.push(old);
  }
  return parts;
}

function isEnded({ building }: { building: boolean }): boolean {
  return !building;
}

it(
  `keeps each trigger, starts each build once and leaves none running through ${KILLS} kill -9`,
  async () => {
    const starts = path.join(directory, 'starts');
    writeFileSync(starts, '');
    // A unique argument that identifies the process.
    const seconds = `300.${process.pid}`;
    await writeJobs(directory, [
      {
        name: 'quick',
        concurrent: true,
        steps: [{ name: 'Run', run: `echo quick-$BUILD_NUMBER >> ${starts}` }],
      },
      {
        name: 'endless',
        steps: [
          {
            name: 'Run',
            run: `echo endless-$BUILD_NUMBER >> ${starts}; sleep ${seconds} & setsid sleep ${seconds} & sleep ${seconds}`,
          },
        ],
      },
    ]);
    const acknowledged = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      const running = await startBuildProcess({ directory });
      const client = new BuildClient(running.url);
      const before = acknowledged.size;
      const endless = await client.started(await client.trigger('endless'));
      await killDuring(running, {
        works: Array.from({ length: 4 }, () => async () => {
          acknowledged.add(await client.trigger('quick'));
        }),
        isEnough: () =>
          acknowledged.size > before + 10 &&
          processesWith(`sleep ${seconds}`).length >= 3,
        timeoutMs: patient(30_000),
      });
      expect(endless).toBe(`/job/endless/${round + 1}/`);
    }

    const parts = await leaveParts(path.join(directory, 'data'));
    const running = await startBuildProcess({ directory });
    // Leftovers of dead builds are removed before any response mentions them.
    expect(processesWith(`sleep ${seconds}`)).toEqual([]);
    const client = new BuildClient(running.url);
    for (let number = 1; number <= KILLS; number += 1) {
      const { body } = await client.get(`/job/endless/${number}/api/json`);
      expect(body).toMatchObject({
        building: false,
        result: 'ABORTED',
        reason: 'The build server stopped during the build',
      });
      expect(await client.log(`/job/endless/${number}/`)).toContain(
        'Finished: ABORTED',
      );
    }
    for (const item of acknowledged) {
      expect((await client.get(item)).status).toBe(200);
    }
    await vi.waitUntil(
      async () => {
        const { body } = await client.get('/job/quick/api/json');
        return !body.inQueue && body.builds.every(isEnded);
      },
      { timeout: 60_000, interval: 200 },
    );
    await vi.waitUntil(() => !parts.some(existsSync), { timeout: 20_000 });
    await running.end('SIGTERM');

    const lines = readFileSync(starts, 'utf8').split('\n').filter(Boolean);
    expect(new Set(lines).size).toBe(lines.length);
    const database = await openDatabase(
      {
        client: 'better-sqlite3',
        connection: { filename: path.join(directory, 'db.sqlite') },
      },
      { root: '/' },
    );
    const rows: { number: number; state: string; attempt: number }[] =
      await database.knex('builds').where({ job: 'quick' }).orderBy('number');
    expect(rows.map(({ number }) => number)).toEqual(
      rows.map((_, index) => index + 1),
    );
    expect(rows.length).toBeGreaterThanOrEqual(acknowledged.size);
    expect(rows.every(({ state }) => state === 'finished')).toBe(true);
    expect(rows.every(({ attempt }) => attempt === 1)).toBe(true);
    await database.close();
  },
  patient(KILLS * 30_000 + 60_000),
);
