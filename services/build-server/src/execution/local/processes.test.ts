import os from 'node:os';
import { runProcess } from './processes.ts';

it('separates output from warnings', async () => {
  const seen: string[] = [];
  const failure = await runProcess({
    argv: ['/bin/sh', '-c', 'echo answer; echo warning >&2; exit 3'],
    cwd: os.tmpdir(),
    environment: {},
    signal: new AbortController().signal,
    killAfterMs: 1_000,
    async output(chunk, stream) {
      seen.push(`${stream}: ${chunk}`);
    },
    onStart() {},
  });
  expect(failure).toBe('it ended with exit code 3');
  expect(seen.sort()).toEqual(['stderr: warning\n', 'stdout: answer\n']);
});
