import { ChildProcess } from 'node:child_process';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '@backstage/errors';
import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { LaunchableEditor } from './editors';
import { describeExit, spawnGuarded } from './guard';
import { isHealthy, waitUntilHealthy } from './healthProbe';
import { AgentClient } from './isolation/AgentClient';
import { openNetwork } from './isolation/NetworkGate';
import { PinnedSocket } from './isolation/PinnedSocket';
import { Sandbox } from './isolation/Sandbox';
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
/** Attempts and not a time: a portal that starts may itself be too busy to hear an answer. */
const ADOPT_ATTEMPTS = 5;
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
  /** null: a plain process. */
  sandbox: Sandbox | null;
  workspaceId: string;
  /** The agent's program; the first one in a sandbox. */
  agentFile: string;
  isolation: WorkspaceIsolation;
  /** Files that the environment names. */
  readable: string[];
  leaseFile: string;
  lease: LeaseOptions;
  limits: Pick<LocalRuntimeLimits, 'startTimeoutMs' | 'stopTimeoutMs'>;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** The sockets of a sandbox, held by what they are. */
interface SandboxSockets {
  ide: PinnedSocket;
  agent: PinnedSocket;
}

/** A running editor, started by this portal or by one before it. */
export class IdeProcess {
  private sockets: SandboxSockets | null = null;

  private constructor(
    readonly state: RunState,
    /** Resolves with a sentence for people when the editor is gone. */
    readonly exited: Promise<string>,
    private readonly follower: LogFollower | null,
  ) {}

  /** Where the editor answers. */
  get socketPath(): string {
    return this.sockets?.ide.path ?? this.state.socket;
  }

  /** The agent in the editor's sandbox; null without one. */
  get agent(): AgentClient | null {
    return this.sockets && new AgentClient(this.sockets.agent.path);
  }

  /**
   * Starts an editor and waits until it answers.
   *
   * @throws ServiceUnavailableError when it does not answer in time or ends.
   */
  static async launch(options: LaunchOptions): Promise<IdeProcess> {
    const { editor, paths, folder, sandbox, signal, limits } = options;
    await rm(paths.exitCode, { force: true });
    const logStart = await boundLog(paths.ideLog);
    const child = spawnGuarded({
      command: launchCommand(options),
      cwd: folder,
      env: options.env,
      mark: options.mark,
      logFile: paths.ideLog,
      exitCodeFile: paths.exitCode,
      leaseFile: options.leaseFile,
      lease: options.lease,
      gated: sandbox?.network === 'own',
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
      agentSocket: sandbox && paths.agentSocket,
      isolation: options.isolation,
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
      if (sandbox?.slirp) {
        await openNetwork(child, { slirp: sandbox.slirp, env: options.env });
      }
      // Recorded before it answers: a portal killed now must find it again. But
      // not without its network: the next portal could not give it one any more.
      await writeRunState(paths, state);
      await ide.waitForAnswer(limits.startTimeoutMs, signal);
      ide.pinSockets();
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
        const ide = new IdeProcess(state, watchAdopted(state, paths), null);
        return ide.tryPinSockets() ? ide : null;
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
    this.sockets?.ide.close();
    this.sockets?.agent.close();
    this.sockets = null;
  }

  /** From now on a name in the sandbox's folder leads nowhere else. */
  private pinSockets(): void {
    const { agentSocket, socket } = this.state;
    if (agentSocket) {
      const ide = PinnedSocket.open(socket);
      this.sockets = { ide, agent: PinnedSocket.open(agentSocket) };
    }
  }

  /** False when the workspace took its sockets away: it is not to be reached any more. */
  private tryPinSockets(): boolean {
    try {
      this.pinSockets();
      return true;
    } catch {
      return false;
    }
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

/** The editor as it is, or in the workspace's sandbox with the agent before it. */
function launchCommand(options: LaunchOptions): string[] {
  const { agentFile, editor, folder, paths, sandbox, workspaceId } = options;
  const command = editor.command(paths, folder);
  return sandbox
    ? sandbox.command({
        workspaceId,
        paths,
        command: [process.execPath, agentFile, paths.agentSocket, ...command],
        cwd: folder,
        network: sandbox.network,
        readable: [
          ...options.readable,
          ...command.filter(part => !isInWorkspace(part, paths)),
        ],
      })
    : command;
}

function isInWorkspace(place: string, paths: WorkspacePaths): boolean {
  return [paths.root, paths.run].some(folder => place.startsWith(folder));
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
