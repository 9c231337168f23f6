import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A service running as a separate process. */
export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Its address, e.g. `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Sends a signal; resolves once the process has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a service as a separate process, on a free port and without logging.
 *
 * @param options.module - the module that exports its definition.
 * @param options.name - the name of the export: a definition, or a function that creates it.
 * @param options.config - the service's configuration section.
 */
export async function startProcess(options: {
  module: URL;
  name: string;
  config: Record<string, unknown>;
}): Promise<ServiceProcess> {
  const { module, name, config } = options;
  const child = spawn(
    process.execPath,
    [path.join(import.meta.dirname, 'runForKill.ts')],
    {
      env: {
        ...process.env,
        // Compiles schemas on first use: compiling all of them takes a fifth of the startup time.
        NODE_ENV: 'production',
        KILLABLE_SERVICE: JSON.stringify({
          module: module.href,
          name,
          config: {
            listen: { port: 0 },
            logging: { level: 'silent' },
            portal: { baseUrl: 'http://127.0.0.1:1' },
            ...config,
          },
        }),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', data => {
      const line = String(data);
      if (line.startsWith('http')) {
        resolve(line.trim());
      }
    });
    child.once('exit', code => reject(new Error(`It ended with ${code}`)));
  });
  return {
    child,
    url,
    async end(signal) {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}

/**
 * Repeats work against a process, several at a time, until enough has been done; then kills the
 * process in the middle of it (SIGKILL). Failures caused by the kill are ignored.
 *
 * @param options.works - functions that are called repeatedly with the number of earlier calls.
 * @param options.isEnough - called every millisecond.
 * @throws any error of the work before the kill; Error if there is not enough in time.
 */
export async function killDuring(
  running: ServiceProcess,
  options: {
    works: readonly ((turn: number) => Promise<unknown>)[];
    isEnough: () => boolean | Promise<boolean>;
    timeoutMs: number;
  },
): Promise<void> {
  const { works, isEnough, timeoutMs } = options;
  let isAlive = true;
  const workers = works.map(async work => {
    for (let turn = 0; isAlive; turn += 1) {
      try {
        await work(turn);
      } catch (error) {
        if (isAlive) {
          throw error;
        }
      }
    }
  });
  const failure = Promise.all(workers).then(() => undefined);
  const end = performance.now() + timeoutMs;
  const enough = async () => {
    while (isAlive && !(await isEnough())) {
      if (performance.now() > end) {
        throw new Error(`Not enough was done within ${timeoutMs} ms`);
      }
      await sleep(1);
    }
  };
  try {
    await Promise.race([enough(), failure]);
  } finally {
    isAlive = false;
    await running.end('SIGKILL');
  }
  await failure;
}
