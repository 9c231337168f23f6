import { ChildProcess } from 'node:child_process';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '@backstage/errors';
import { LaunchableEditor } from './editors';
import { describeExit, spawnGuarded } from './guard';
import { isHealthy, waitUntilHealthy } from './healthProbe';
import { LeaseOptions, LocalRuntimeLimits } from './LocalRuntimeOptions';
import { createIdeLogCleaner } from './ideLogCleaner';
import { LogFollower } from './LogFollower';
import { processStartTime, sendSignal } from './processTable';
import {
  isGuardAlive,
  readRunState,
  RunState,
  writeRunState,
} from './runState';
import { WorkspacePaths } from './WorkspacePaths';

const ADOPTED_POLL_MS = 1_000;
const END_POLL_MS = 25;
const ADOPT_ATTEMPTS = 2;
const ADOPT_PAUSE_MS = 500;

/** An editor appends to one log over all its starts; beyond this a start begins anew. */
const MAX_LOG_BYTES = 10 * 1024 ** 2;

/** An editor to start. */
export interface LaunchOptions {
  editor: LaunchableEditor;
  paths: WorkspacePaths;
  /** Folder the editor opens. */
  folder: string;
  env: Record<string, string>;
  mark: string;
  leaseFile: string;
  lease: LeaseOptions;
  limits: Pick<LocalRuntimeLimits, 'startTimeoutMs' | 'stopTimeoutMs'>;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** A running editor, started by this portal or by one before it. */
export class IdeProcess {
  private constructor(
    readonly state: RunState,
    /** Resolves with a sentence for people when the editor is gone. */
    readonly exited: Promise<string>,
    private readonly follower: LogFollower | null,
  ) {}

  /**
   * Starts an editor and waits until it answers.
   *
   * @throws ServiceUnavailableError when it does not answer in time or ends.
   */
  static async launch(options: LaunchOptions): Promise<IdeProcess> {
    const { editor, paths, folder, signal, limits } = options;
    await rm(paths.socket, { force: true });
    await rm(paths.exitCode, { force: true });
    const logStart = await boundLog(paths.ideLog);
    const child = spawnGuarded({
      command: editor.command(paths, folder),
      cwd: folder,
      env: options.env,
      mark: options.mark,
      logFile: paths.ideLog,
      exitCodeFile: paths.exitCode,
      leaseFile: options.leaseFile,
      lease: options.lease,
    });
    const exited = exitOf(child);
    if (child.pid === undefined) {
      throw new ServiceUnavailableError(await exited);
    }
    child.unref();
    const state: RunState = {
      pid: child.pid,
      startTime: (await processStartTime(child.pid)) ?? 'gone',
      socket: paths.socket,
      healthPath: editor.healthPath,
      editor: editor.editor,
    };
    const clean = createIdeLogCleaner();
    const follower = new LogFollower(paths.ideLog, logStart, line => {
      const text = clean(line);
      if (text !== null) {
        options.onLine(text);
      }
    });
    const ide = new IdeProcess(state, exited, follower);
    try {
      // Recorded before it answers: a portal killed now must find it again.
      await writeRunState(paths, state);
      await ide.waitForAnswer(limits.startTimeoutMs, signal);
      return ide;
    } catch (error) {
      await ide.end(limits.stopTimeoutMs);
      throw error;
    }
  }

  /** Takes over the editor another portal left; null when it is gone or does not answer. */
  static async adopt(paths: WorkspacePaths): Promise<IdeProcess | null> {
    const state = await readRunState(paths);
    if (!state) {
      return null;
    }
    for (let attempt = 0; attempt < ADOPT_ATTEMPTS; attempt += 1) {
      if (!(await isGuardAlive(state))) {
        return null;
      }
      if (await isHealthy({ socket: state.socket, path: state.healthPath })) {
        return new IdeProcess(state, watchAdopted(state, paths), null);
      }
      await sleep(ADOPT_PAUSE_MS);
    }
    return null;
  }

  /** Asks the editor to end, kills its process group when it does not. */
  async end(timeoutMs: number): Promise<void> {
    await endGuard(this.state, timeoutMs);
    await this.release();
  }

  /** Stops reading the editor's log; the editor goes on. */
  async release(): Promise<void> {
    await this.follower?.stop();
  }

  private async waitForAnswer(timeoutMs: number, signal: AbortSignal) {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const address = { socket: this.state.socket, path: this.state.healthPath };
    try {
      const outcome = await Promise.race([
        waitUntilHealthy(address, timeoutMs, either),
        this.exited,
      ]);
      if (outcome === false) {
        throw new ServiceUnavailableError(
          `The editor did not answer within ${Math.round(
            timeoutMs / 1000,
          )} seconds`,
        );
      }
      if (typeof outcome === 'string') {
        throw new ServiceUnavailableError(`${outcome} before it was ready`);
      }
    } finally {
      over.abort();
    }
  }
}

/** Empties a log that has grown too large; its size, where new output begins. */
async function boundLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await truncate(file);
  return 0;
}

/** Ends the process group of a guard that may be another portal's. */
export async function endGuard(
  state: RunState,
  timeoutMs: number,
): Promise<void> {
  if (!(await isGuardAlive(state))) {
    return;
  }
  sendSignal(-state.pid, 'SIGTERM');
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    if (!(await isGuardAlive(state))) {
      break;
    }
    await sleep(END_POLL_MS);
  }
  sendSignal(-state.pid, 'SIGKILL');
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise(resolve => {
    child.on('error', error =>
      resolve(`The editor could not be started: ${error.message}`),
    );
    child.on('exit', (code, signal) => resolve(describeExit(code, signal)));
  });
}

/** Another portal's child reports no exit to this one: its pid is watched instead. */
async function watchAdopted(
  state: RunState,
  paths: Pick<WorkspacePaths, 'exitCode'>,
): Promise<string> {
  while (await isGuardAlive(state)) {
    await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  }
  const code = await readFile(paths.exitCode, 'utf8').catch(() => '');
  return code === ''
    ? 'The editor was killed'
    : describeExit(Number(code), null);
}
