import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chdbTool } from '../../__testUtils__/startAnalytics.ts';
import { LazyProcess } from '../process/LazyProcess.ts';
import type { ChdbOptions, ChdbRequest } from './chdbProcess.ts';

describe.runIf(chdbTool)('a process of chDB', () => {
  it('returns no rows of a failed query with the next result', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'chdb-process-'));
    const engine = new LazyProcess<ChdbRequest>({
      script: new URL('./chdbProcess.ts', import.meta.url),
      options: {
        entryPoint: chdbTool!.entryPoint,
        directory,
        maxThreads: 1,
        memoryBytes: 1024 ** 3,
        readers: 1,
      } satisfies ChdbOptions,
      idleMs: 60_000,
    });
    try {
      for (const kind of ['query', 'statement'] as const) {
        const ask = (sql: string) => engine.ask({ kind, sql }, 30_000);
        await expect(
          ask('SELECT throwIf(number = 900000) FROM numbers(1000000)'),
        ).rejects.toThrow('throwIf');
        expect(await ask('SELECT 7')).toEqual([[7]]);
      }
    } finally {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
    }
  });
});
