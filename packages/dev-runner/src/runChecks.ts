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

/** Reporters list failures at the end; a page or two is enough. */
const KEPT_LINES = 120;

/** The result of one script of the root package.json. */
interface CheckResult {
  script: string;
  ok: boolean;
  durationMs: number;
  /** The end of its output, if it failed. */
  lastLines?: readonly string[];
}

/** A script, and what runs beside it. */
export interface Check {
  script: string;
  /**
   * Scripts that run one after another from the time at which this one starts, on the processor time
   * that it and later ones leave.
   */
  meanwhile?: readonly string[];
  /** Such a script of an earlier check, which this one waits for. */
  after?: string;
}

interface RunScriptOptions extends RunChecksOptions {
  /** Scheduling priority, as `os.setPriority` takes it. */
  priority?: number;
}

interface RunChecksOptions {
  /** Names of scripts, in the order in which they run. */
  checks: readonly Check[];
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
 * Runs the checks one after another, and beside them what runs meanwhile; continues after a failure.
 *
 * @returns the results in the order of the checks.
 */
export async function runChecks(
  options: RunChecksOptions,
): Promise<CheckResult[]> {
  const results = new Map<string, CheckResult>();
  const beside = new Map<string, Promise<void>>();
  let lastBeside: Promise<void> = Promise.resolve();
  for (const { script, meanwhile = [], after = '' } of options.checks) {
    await beside.get(after);
    if (options.signal?.aborted) {
      break;
    }
    for (const other of meanwhile) {
      lastBeside = lastBeside.then(async () => {
        if (!options.signal?.aborted) {
          results.set(other, await runBeside(other, options));
        }
      });
      beside.set(other, lastBeside);
    }
    options.say(`\n── yarn ${script}`);
    results.set(script, await timeScript(script, options));
  }
  await lastBeside;
  return options.checks
    .flatMap(({ script, meanwhile = [] }) => [script, ...meanwhile])
    .flatMap(script => results.get(script) ?? []);
}

/**
 * Runs a script beside others, on the processor time that they leave. Its output is printed when it
 * ends, so that it does not mix with theirs.
 */
async function runBeside(
  script: string,
  options: RunChecksOptions,
): Promise<CheckResult> {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const result = await timeScript(script, {
    ...options,
    output,
    // At the lowest priority, servers among them would not answer in time.
    priority: constants.priority.PRIORITY_BELOW_NORMAL,
  });
  options.say(`\n── yarn ${script}, which ran meanwhile`);
  options.output.write(Buffer.concat(chunks));
  return result;
}

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
