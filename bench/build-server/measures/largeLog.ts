import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { duration, type Row } from '../../runBench.ts';
import { Builds } from '../Builds.ts';
import { cpuMs, peakMiB } from '../../processUse.ts';
import { requestHeaders as headers, type RunningServer } from '../servers.ts';

const VIEWERS = 20;
/** Each line is a number of 9 digits. */
const LINES = 20_000_000;
const FIRST = 100_000_001;
const TARGET_MIB = 250;
const TIMEOUT_MS = 240_000;
/** Pause after which a viewer that has read everything polls again. */
const POLL_MS = 100;

/** The job that writes 200 MB. */
export const LOG_JOB = {
  concurrent: true,
  steps: [{ name: 'Write', run: `seq ${FIRST} ${FIRST + LINES - 1}` }],
};

interface Seen {
  bytes: number;
  sha256: string;
  /** The first characters of the log. */
  begin: string;
}

/** Follows a log from its start to its end, as Jenkins' clients do. */
async function follow(server: RunningServer, build: string): Promise<Seen> {
  const client = new Client(server.url);
  const hash = createHash('sha256');
  let bytes = 0;
  let begin = '';
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until;) {
    const response = await client.request({
      method: 'GET',
      path: `${build}/logText/progressiveText?start=${bytes}`,
      headers,
    });
    const part = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode === 404) {
      await sleep(POLL_MS);
      continue;
    }
    if (response.statusCode !== 200) {
      throw new Error(`A viewer was answered ${response.statusCode}: ${part}`);
    }
    hash.update(part);
    bytes += part.length;
    if (begin.length < 200) {
      begin += part.toString('latin1', 0, 200);
    }
    if (response.headers['x-more-data'] === undefined) {
      await client.close();
      return { bytes, sha256: hash.digest('hex'), begin };
    }
    if (part.length === 0) {
      await sleep(POLL_MS);
    }
  }
  throw new Error(`A viewer has not seen the end after ${bytes} bytes`);
}

/** Returns the size and hash of the expected log: the job's lines between `before` and `after`. */
function expected(before: string, after: string): Seen {
  const hash = createHash('sha256').update(before);
  let bytes = before.length + after.length;
  const AT_ONCE = 100_000;
  for (let line = FIRST; line < FIRST + LINES; line += AT_ONCE) {
    const part = Array.from(
      { length: AT_ONCE },
      (_, next) => `${line + next}\n`,
    );
    hash.update(part.join(''));
    bytes += part.length * 10;
  }
  const sha256 = hash.update(after).digest('hex');
  return { bytes, sha256, begin: before };
}

/** Measures the server while viewers follow a running build's log. @throws Error if one reads it wrong. */
export async function largeLog(server: RunningServer): Promise<Row> {
  const builds = new Builds(server, 'log');
  const cpuBefore = cpuMs(server.pid);
  const peakBefore = peakMiB(server.pid);
  const startedAt = performance.now();
  await builds.trigger();
  const built = builds.succeeded(1).then(() => performance.now() - startedAt);
  const seen = await Promise.all(
    Array.from({ length: VIEWERS }, () => follow(server, '/job/log/1')),
  );
  const followedMs = performance.now() - startedAt;
  const builtMs = await built;
  await builds.close();
  const peak = peakMiB(server.pid);
  const cpu = cpuMs(server.pid) - cpuBefore;
  const [before] = /^[^]*?==> Write\n/.exec(seen[0].begin) ?? [''];
  const wanted = expected(before, 'Finished: SUCCESS\n');
  const wrong = seen.filter(({ sha256 }) => sha256 !== wanted.sha256);
  if (wrong.length > 0) {
    throw new Error(
      `${wrong.length} of ${VIEWERS} viewers saw another log: ${JSON.stringify({
        wanted,
        first: wrong[0],
      })}`,
    );
  }
  return {
    what: `a log of ${Math.round(wanted.bytes / 1e6)} MB, followed by ${VIEWERS} viewers`,
    target: `resident memory ≤ ${TARGET_MIB} MiB`,
    measured: `at most ${Math.round(peak)} MiB, ${VIEWERS} equal hashes`,
    beside: `before: ${Math.round(peakBefore)} MiB; built in ${duration(
      builtMs,
    )}, read by all in ${duration(followedMs)}, CPU ${duration(cpu)}`,
    met: peak <= TARGET_MIB,
  };
}
