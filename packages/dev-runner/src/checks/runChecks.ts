import { spawn } from 'node:child_process';

/** The result of one script of the root package.json. */
export interface CheckResult {
  script: string;
  ok: boolean;
  durationMs: number;
}

export interface RunChecksOptions {
  /** Names of scripts, in the order in which they run. */
  scripts: readonly string[];
  /** Program and first arguments that run a script by its name. */
  command: readonly [string, ...string[]];
  /** Absolute path of the repository. */
  cwd: string;
  say: (text: string) => void;
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
    const ok = await runScript(script, options);
    results.push({ script, ok, durationMs: Date.now() - startedAt });
  }
  return results;
}

function runScript(
  script: string,
  { command, cwd, say, signal }: RunChecksOptions,
): Promise<boolean> {
  const [program, ...args] = command;
  return new Promise(resolve => {
    spawn(program, [...args, script], {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
      signal,
      killSignal: 'SIGTERM',
    })
      .once('error', error => {
        say(`${script} did not start or was stopped: ${error.message}`);
        resolve(false);
      })
      .once('exit', code => resolve(code === 0));
  });
}
