import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

it('lists the tests that pass on the second attempt, and no others', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'flaky-'));
  try {
    await writeFile(
      path.join(directory, 'vitest.config.mts'),
      `import { FlakyTestsReporter } from '${import.meta.dirname}/FlakyTestsReporter.ts';
       export default {
         test: {
           name: 'cart', globals: true, retry: 1, reporters: [new FlakyTestsReporter()],
         },
       };`,
    );
    await writeFile(
      path.join(directory, 'cart.test.ts'),
      `let attempts = 0;
       it('adds', () => {});
       describe('a busy machine', () => {
         it('pays', () => { attempts += 1; expect(attempts).toBe(2); });
       });
       it('breaks', () => { throw new Error('always'); });`,
    );
    const vitest = path.join(
      import.meta.dirname,
      '../../../node_modules/.bin/vitest',
    );
    const run = promisify(execFile)(process.execPath, [vitest, 'run'], {
      cwd: directory,
      env: { ...process.env, NO_COLOR: '1' },
    });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: [
        '',
        '1 flaky, passed on the second attempt:',
        '  cart  cart.test.ts > a busy machine > pays: expected 1 to be 2 // Object.is equality',
        '',
      ].join('\n'),
    });
  } finally {
    await rm(directory, { recursive: true });
  }
});
