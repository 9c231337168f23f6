import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { jobOf } from './__testUtils__/Bench.ts';
import { BuildClient } from './__testUtils__/BuildClient.ts';
import { basic, writeJobs } from './__testUtils__/startBuildServer.ts';

const TOKEN = 'token-of-the-environment';

/** Returns a port that is not in use. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

it('hides the secrets of the server from a step that inspects its parent', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'build-environment-'));
  const port = await freePort();
  const jobs = path.join(directory, 'jobs');
  await mkdir(jobs);
  await writeJobs(jobs, [
    jobOf(`tr '\\0' '\\n' < /proc/$PPID/environ; echo "parent $PPID"`),
  ]);
  const config = path.join(directory, 'app-config.yaml');
  await writeFile(
    config,
    stringify({
      buildServer: {
        listen: { host: '127.0.0.1', port },
        logging: { level: 'silent' },
        portal: { baseUrl: 'http://127.0.0.1:1' },
        database: {
          client: 'better-sqlite3',
          connection: { filename: path.join(directory, 'db.sqlite') },
        },
        jobsDirectory: jobs,
        dataDirectory: path.join(directory, 'data'),
        isolation: { mode: 'unsafe-none' },
        auth: {
          users: [
            { name: 'dev', key: '${TEST_TOKEN}', scopes: ['read', 'trigger'] },
          ],
        },
      },
    }),
  );
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'main.ts'), '--config', config],
    {
      env: { ...process.env, TEST_TOKEN: TOKEN },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  try {
    const client = new BuildClient(
      `http://127.0.0.1:${port}`,
      basic('dev', TOKEN),
    );
    // The token was read all the same.
    await vi.waitFor(
      async () => expect((await client.get('/api/json')).status).toBe(200),
      { timeout: 25_000, interval: 100 },
    );
    const build = await client.build('job');
    expect(build.result).toBe('SUCCESS');
    const log = await client.log('/job/job/1/');
    // The process id is unchanged for supervisors.
    expect(log).toContain(`parent ${child.pid}`);
    expect(log).toMatch(/^PATH=/m);
    expect(log).not.toContain('TEST_TOKEN');
    expect(log).not.toContain(TOKEN);
    expect(readFileSync(`/proc/${child.pid}/environ`, 'utf8')).not.toContain(
      TOKEN,
    );
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  }
});
