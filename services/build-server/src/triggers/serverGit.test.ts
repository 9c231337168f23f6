import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { listHeads, outputOfGit, readHead } from './serverGit.ts';

const PATH = process.env.PATH!;

let bench: Bench;
let temporary: string;

beforeEach(async () => {
  bench = await Bench.open();
  temporary = path.join(bench.scratch, 'tmp');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await bench.close();
});

describe('the branches of a repository', () => {
  it('are listed with their commits, also a single one', async () => {
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', 'work');
    const work = path.join(bench.scratch, 'work');
    gitIn(work, 'commit', '--quiet', '--allow-empty', '-m', 'Change');
    gitIn(work, 'branch', 'other');
    const commit = gitIn(work, 'rev-parse', 'HEAD');
    const access = { repository: `file://${work}`, protocols: ['file'] };
    const { signal } = new AbortController();
    expect([...(await listHeads(access, { path: PATH, signal }))]).toEqual([
      ['refs/heads/main', commit],
      ['refs/heads/other', commit],
    ]);
    const ref = 'refs/heads/other';
    expect([...(await listHeads(access, { path: PATH, signal, ref }))]).toEqual(
      [[ref, commit]],
    );
    // Nothing is left behind.
    expect(await readdir(temporary)).toEqual([]);
  });

  it('are given up without a program that still waits for them', async () => {
    const silent = createServer(socket => socket.resume()).listen(0);
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const connections = () =>
      new Promise<number>(resolve => {
        silent.getConnections((_error, count) => resolve(count));
      });
    const ending = new AbortController();
    const listed = listHeads(
      { repository: `http://127.0.0.1:${port}/a.git`, protocols: ['http'] },
      { path: PATH, signal: ending.signal },
    );
    listed.catch(() => {});
    await vi.waitFor(async () => expect(await connections()).toBe(1), 10_000);
    ending.abort();
    await expect(listed).rejects.toThrow('abort');
    await vi.waitFor(async () => expect(await connections()).toBe(0), 5_000);
    expect(await readdir(temporary)).toEqual([]);
    silent.close();
  });

  it('are not read in part', async () => {
    await expect(
      outputOfGit(['sh', '-c', 'echo 123; exec yes'], {
        ...{ cwd: '/', scratch: temporary, environment: { PATH } },
        ...{ maxBytes: 1_000, signal: new AbortController().signal },
      }),
    ).rejects.toThrow('more than 1000 bytes');
  });
});

describe('the head of a ref', () => {
  const read = (
    ref: string,
    more: { withinMs?: number; signal?: AbortSignal } = {},
  ) =>
    readHead(
      { repository: `file://${bench.scratch}/work`, protocols: ['file'] },
      { ref, path: process.env.PATH!, withinMs: 30_000, ...more },
    );

  it('is read without the history and with its whole message', async () => {
    gitIn(bench.scratch, 'init', '--quiet', '-b', 'main', 'work');
    const work = path.join(bench.scratch, 'work');
    const message = `Head\n\n${'Explained. '.repeat(2_000)}`;
    for (const each of ['Before', message]) {
      gitIn(work, 'commit', '--quiet', '--allow-empty', '-m', each);
    }
    const commit = gitIn(work, 'rev-parse', 'HEAD');
    const head = await read('refs/heads/main');
    expect(head.commit).toBe(commit);
    expect(head.message.trim()).toBe(message.trim());
    await expect(read('refs/heads/none')).rejects.toThrow('none');
    await expect(read('refs/heads/main', { withinMs: 0 })).rejects.toThrow();
    await expect(
      read('refs/heads/main', { signal: AbortSignal.abort() }),
    ).rejects.toThrow('aborted');
    // Nothing is left behind.
    expect(await readdir(temporary)).toEqual([]);
  });
});
