import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { duration, type Row } from '../../runBench.ts';

const TEST = 'services/build-server/src/hostile/builds.test.ts';
const P99_MS = 100;
const MAX_OUTPUT_BYTES = 16 * 1024 ** 2;

/**
 * Runs the test that attacks an isolated server with hostile repositories, pipeline files and
 * steps, and reads from its output how fast the server responded during the attacks.
 *
 * @throws Error if an attack succeeded, or the machine cannot isolate builds.
 */
export async function hostileRun(): Promise<Row> {
  const { stdout } = await promisify(execFile)(
    'yarn',
    ['vitest', 'run', TEST],
    {
      cwd: path.resolve(import.meta.dirname, '../../..'),
      env: { ...process.env, NO_COLOR: '1' },
      maxBuffer: MAX_OUTPUT_BYTES,
    },
  );
  const [, times, p50, p99] =
    /responded (\d+) times: p50 ([\d.]+) ms, p99 ([\d.]+) ms/.exec(stdout) ??
    [];
  const [, attacks] = /Tests\s+(\d+) passed/.exec(stdout) ?? [];
  if (p99 === undefined || attacks === undefined) {
    throw new Error(`The attacks did not run:\n${stdout}`);
  }
  return {
    what: `responses of an isolated server during ${attacks} attacks by repositories and steps`,
    target: `p99 ≤ ${P99_MS} ms`,
    measured: `p99 ${duration(Number(p99))}, median ${duration(Number(p50))}`,
    beside: `${times} requests; no attack succeeded`,
    met: Number(p99) <= P99_MS,
  };
}
