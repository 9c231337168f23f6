import { existsSync } from 'node:fs';
import path from 'node:path';
import type { NpmOptions } from './ManagedTool.ts';
import { type CommandResult, runCommand } from './runCommand.ts';
import { npmFailure, ToolInstallError } from './ToolInstallError.ts';

const NPM_TIMEOUT_MS = 10 * 60_000;

/** Options of {@link runNpm}. */
export interface RunNpmOptions extends NpmOptions {
  /** Shown in errors, e.g. "Downloading code-server". */
  title: string;
  npmCommand: string;
  args: string[];
  signal: AbortSignal;
  onStart(pid: number): void;
  progress(fraction: number): void;
}

/**
 * Runs npm without package scripts and returns its standard output. The progress is the number of
 * fetches that npm logs, divided by the expected number.
 *
 * @throws ToolInstallError naming the cause.
 */
export async function runNpm(options: RunNpmOptions): Promise<string> {
  let fetches = 0;
  const result = await startNpm(options, line => {
    if (options.expectedFetches && line.startsWith('npm http ')) {
      fetches += 1;
      options.progress(Math.min(0.99, fetches / options.expectedFetches));
    }
  });
  if (result.timedOut) {
    throw new ToolInstallError(
      'network',
      `${options.title} failed: npm was not done after ${
        NPM_TIMEOUT_MS / 60_000
      } minutes`,
    );
  }
  if (result.code !== 0) {
    throw npmFailure(options.title, withoutHttpLines(result.stderr));
  }
  return result.stdout;
}

async function startNpm(
  options: RunNpmOptions,
  onErrorLine: (line: string) => void,
): Promise<CommandResult> {
  try {
    return await runCommand({
      command: options.npmCommand,
      args: [
        ...options.args,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
        '--no-update-notifier',
        '--loglevel=http',
      ],
      cwd: options.cwd,
      env: npmEnvironment(options.npmCommand, process.env),
      signal: options.signal,
      timeoutMs: NPM_TIMEOUT_MS,
      onStart: options.onStart,
      onErrorLine,
    });
  } catch (error) {
    if (isMissingProgram(error)) {
      throw new ToolInstallError(
        'npm-missing',
        'npm was not found on PATH; it comes with Node.js',
        error,
      );
    }
    throw error;
  }
}

/**
 * Returns the environment of npm. Puts npm's own directory first on PATH, so that npm runs on the Node.js
 * next to it, whose prefix has npm's global configuration, such as a company's registry and certificate
 * authority. As no package scripts run, the version of that Node.js does not matter.
 */
function npmEnvironment(
  npmCommand: string,
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const own = path.isAbsolute(npmCommand)
    ? path.dirname(npmCommand)
    : folders.find(folder => existsSync(path.join(folder, npmCommand)));
  return {
    ...env,
    PATH: [own, ...folders].filter(Boolean).join(path.delimiter),
    // Inside a Yarn script, this is Yarn's user agent, which npm would send as its own.
    npm_config_user_agent: undefined,
  };
}

function withoutHttpLines(output: string): string {
  return output
    .split('\n')
    .filter(line => !/^npm (http|warn)/.test(line))
    .join('\n');
}

function isMissingProgram(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ENOENT' &&
    'syscall' in error &&
    String(error.syscall).startsWith('spawn')
  );
}
