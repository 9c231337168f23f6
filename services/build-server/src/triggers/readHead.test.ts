import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Bench } from '../__testUtils__/Bench.ts';
import { gitIn } from '../__testUtils__/gitIn.ts';
import { readHead } from './readHead.ts';

describe('the head of a ref', () => {
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
