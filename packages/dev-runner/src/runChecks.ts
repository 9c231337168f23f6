import { spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { formatDuration } from './output.ts';

/** Remembers the last lines of a text that arrives in pieces. */
export class LastLines {
  readonly #limit: number;
  readonly #whole: string[] = [];
  #unfinished = '';

  /** @param limit - how many lines are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    const pieces = (this.#unfinished + text).split('\n');
    this.#unfinished = pieces.pop() ?? '';
    this.#whole.push(...pieces.slice(-this.#limit));
    this.#whole.splice(0, this.#whole.length - this.#limit);
  }

  /** Oldest first, with the one that has no end yet. */
  get lines(): readonly string[] {
    const all = this.#unfinished
      ? [...this.#whole, this.#unfinished]
      : this.#whole;
    return all.slice(-this.#limit);
  }
}

/** Reporters name what failed at their end; a page or two of it is enough. */
const KEPT_LINES = 120;

/** The result of one script of the root package.json. */
interface CheckResult {
  script: string;
  ok: boolean;
  durationMs: number;
  /** How its output ended, when it failed. */
  lastLines?: readonly string[];
}

interface RunChecksOptions {
  /** Names of scripts, in the order in which they run. */
  scripts: readonly string[];
  /** Program and first arguments that run a script by its name. */
  command: readonly [string, ...string[]];
  /** Absolute path of the repository. */
  cwd: string;
  say: (text: string) => void;
  /** Receives the output of the scripts while they run. */
  output: Writable & { isTTY?: boolean };
  /** Aborted when the person in front has had enough. */
  signal?: AbortSignal;
}

/** Runs the scripts one after another, the rest also after one has failed. */
export async function runChecks(
  options: RunChecksOptions,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const script of options.scripts) {
    if (options.signal?.aborted) {
      break;
    }
    options.say(`\n── yarn ${script}`);
    const startedAt = Date.now();
    const kept = new LastLines(KEPT_LINES);
    const ok = await runScript(script, kept, options);
    const durationMs = Date.now() - startedAt;
    results.push({
      script,
      ok,
      durationMs,
      ...(!ok && { lastLines: kept.lines }),
    });
  }
  return results;
}

function runScript(
  script: string,
  kept: LastLines,
  { command, cwd, say, output, signal }: RunChecksOptions,
): Promise<boolean> {
  const [program, ...args] = command;
  return new Promise(resolve => {
    const child = spawn(program, [...args, script], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Behind a pipe the programs would leave out colours.
      env: output.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env,
      signal,
      killSignal: 'SIGTERM',
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        kept.add(text);
        output.write(text);
      });
    }
    child
      .once('error', error => {
        say(`${script} did not start or was stopped: ${error.message}`);
        resolve(false);
      })
      .once('exit', code => {
        const end = () => resolve(code === 0);
        child.once('close', end);
        // A process that it left behind may hold the pipe for ever.
        setTimeout(end, 2_000).unref();
      });
  });
}

/**
 * The closing lines of a run of checks: how each failed one ended, which a log
 * cut to its end would lack otherwise, then all results. The last line counts,
 * in the plain form that CI systems look for.
 *
 * @param planned - how many checks should have run
 */
export function summary(
  results: readonly CheckResult[],
  planned: number,
): string {
  const width = Math.max(0, ...results.map(({ script }) => script.length));
  const failed = results.filter(({ ok }) => !ok).length;
  const counts = `${results.length - failed} passed, ${failed} failed`;
  const skipped = planned - results.length;
  return [
    ...results.flatMap(({ script, lastLines }) =>
      lastLines ? ['', `── how yarn ${script} ended`, ...lastLines] : [],
    ),
    '',
    ...results.map(
      ({ script, ok, durationMs }) =>
        `  ${ok ? 'ok    ' : 'failed'}  ${script.padEnd(
          width,
        )}  ${formatDuration(durationMs)}`,
    ),
    '',
    skipped > 0 ? `${counts}, ${skipped} skipped` : counts,
  ].join('\n');
}
