import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess, startProgram } from './processes.ts';

const start = (script: string) => () =>
  startProgram(['/bin/sh', '-c', script], {
    cwd: os.tmpdir(),
    environment: {},
  });

it('separates output from warnings', async () => {
  const seen: string[] = [];
  const failure = await runProcess(
    start('echo answer; echo warning >&2; exit 3'),
    {
      signal: new AbortController().signal,
      killAfterMs: 1_000,
      async output(chunk, stream) {
        seen.push(`${stream}: ${chunk}`);
      },
      endsProcesses: false,
      onStart() {},
    },
  );
  expect(failure).toBe('it ended with exit code 3');
  expect(seen.sort()).toEqual(['stderr: warning\n', 'stdout: answer\n']);
});

it('waits for slow output if nothing else can write to it', async () => {
  let seen = '';
  await runProcess(start('echo one; sleep 0.1; echo two'), {
    signal: new AbortController().signal,
    killAfterMs: 1_000,
    async output(chunk) {
      await sleep(400);
      seen += chunk;
    },
    endsProcesses: true,
    onStart() {},
  });
  expect(seen).toBe('one\ntwo\n');
});
