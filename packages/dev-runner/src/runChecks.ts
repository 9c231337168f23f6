import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { Writable } from 'node:stream';
import { formatDuration } from './output.ts';

/** Keeps the last lines of a text that arrives in chunks. */
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

  /** Returns the lines, oldest first, including an incomplete last one. */
  get lines(): readonly string[] {
    const all = this.#unfinished
      ? [...this.#whole, this.#unfinished]
      : this.#whole;
    return all.slice(-this.#limit);
  }
}

/** Number of last lines to keep: reporters list failures at the end, so a page or two is enough. */
const KEPT_LINES = 120;

/** The result of one script of the root package.json. */
interface CheckResult {
  script: string;
  ok: boolean;
  durationMs: number;
  /** The end of its output, if it failed. */
  lastLines?: readonly string[];
}

/** Scripts of the root package.json that run one after another. */
export interface Row {
  scripts: readonly string[];
  /** True if the other rows get the processor first. */
  yields?: boolean;
}

interface RunScriptOptions extends Omit<RunChecksOptions, 'rows'> {
  /** Scheduling priority, as `os.setPriority` takes it. */
  priority?: number;
}

interface RunChecksOptions {
  /** They run at the same time. */
  rows: readonly Row[];
  /** Program and first arguments that run a script by name. */
  command: readonly [string, ...string[]];
  /** Absolute path of the repository. */
  cwd: string;
  say: (text: string) => void;
  /** Receives the output of the scripts while they run. */
  output: Writable & { isTTY?: boolean };
  /** Aborted when the user interrupts the run. */
  signal?: AbortSignal;
}

/**
 * Runs all rows at the same time; a row continues after a failure. The output of the first row is
 * printed while it runs, that of others when a script ends, so that they do not mix.
 *
 * @returns the results in the order of the rows.
 */
export async function runChecks({
  rows,
  ...options
}: RunChecksOptions): Promise<CheckResult[]> {
  const results = await Promise.all(
    rows.map(async ({ scripts, yields = false }, index) => {
      const run = index === 0 ? runShown : runMeanwhile;
      // At the lowest priority, servers among them would not respond in time.
      const priority = yields
        ? constants.priority.PRIORITY_BELOW_NORMAL
        : undefined;
      const ofRow: CheckResult[] = [];
      for (const script of scripts) {
        if (options.signal?.aborted) {
          break;
        }
        ofRow.push(await run(script, { ...options, priority }));
      }
      return ofRow;
    }),
  );
  return results.flat();
}

/** Runs a script and prints its output while it runs. */
function runShown(
  script: string,
  options: RunScriptOptions,
): Promise<CheckResult> {
  options.say(`\n── yarn ${script}`);
  return timeScript(script, options);
}

/** Runs a script next to another one, and prints its output when it ends. */
async function runMeanwhile(
  script: string,
  options: RunScriptOptions,
): Promise<CheckResult> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const result = await timeScript(script, { ...options, output });
  options.say(`\n── yarn ${script}, which ran meanwhile`);
  options.output.write(Buffer.concat(chunks));
  return result;
}

/** Runs a script, measures its duration, and keeps its last lines if it fails. */
async function timeScript(
  script: string,
  options: RunScriptOptions,
): Promise<CheckResult> {
  const startedAt = Date.now();
  const kept = new LastLines(KEPT_LINES);
  const ok = await runScript(script, kept, options);
  const durationMs = Date.now() - startedAt;
  return { script, ok, durationMs, ...(!ok && { lastLines: kept.lines }) };
}

/** Runs a script, and resolves to whether it succeeded. Never rejects. */
function runScript(
  script: string,
  kept: LastLines,
  { command, cwd, say, output, signal, priority }: RunScriptOptions,
): Promise<boolean> {
  const [program, ...args] = command;
  return new Promise(resolve => {
    const child = spawn(program, [...args, script], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Programs would not use colours with a pipe.
      env: output.isTTY ? { FORCE_COLOR: '1', ...process.env } : process.env,
      signal,
      killSignal: 'SIGTERM',
    });
    if (child.pid !== undefined && priority !== undefined) {
      setPriority(child.pid, priority);
    }
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
        // A process that it left behind may keep the pipe open forever.
        setTimeout(end, 2_000).unref();
      });
  });
}

/**
 * Returns the closing lines of a run of checks: the end of the output of each failed one, which a
 * truncated log would otherwise lack, then all results. The last line is the overall result, in the
 * plain form that CI systems look for.
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
