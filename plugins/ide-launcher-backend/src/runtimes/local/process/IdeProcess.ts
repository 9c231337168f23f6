import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '@backstage/errors';
import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { startTimeOf } from '@slipway/processes';
import { LaunchableEditor } from '../editors';
import { WorkspacePaths } from '../files/WorkspacePaths';
import { openNetwork } from '../network/NetworkGate';
import { LeaseOptions, LocalRuntimeLimits } from '../options';
import { AgentClient } from '../sandbox/AgentClient';
import { Sandbox } from '../sandbox/Sandbox';
import { SandboxSockets } from '../sandbox/SandboxSockets';
import { spawnGuarded, adoptedGuardExit, endGuard, guardExit } from './guard';
import { boundIdeLog, followIdeLog, LogFollower } from './ideLog';
import {
  isGuardAlive,
  readRunState,
  RunState,
  writeRunState,
} from './runState';

const PROBE_INTERVAL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;

/** The socket and path at which an editor says that it is ready. */
interface HealthAddress {
  socket: string;
  path: string;
}

/** Asks once; true for a 200. What listens there may be anything: it gets its time, and no more by dragging it out. */
export function isHealthy(address: HealthAddress): Promise<boolean> {
  return new Promise(resolve => {
    const probe = request(
      {
        socketPath: address.socket,
        path: address.path,
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      },
      response => {
        // Editors answer 404 for an instant, before their routes are mounted.
        resolve(response.statusCode === 200);
        response.destroy();
      },
    );
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

/** Asks until the answer is 200 (true), or until the time is over (false). Rejects when the signal aborts. */
async function waitUntilHealthy(
  address: HealthAddress,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    signal.throwIfAborted();
    if (await isHealthy(address)) {
      return true;
    }
    // An aborted sleep has a reason of its own; the loop throws the signal's.
    await sleep(PROBE_INTERVAL_MS, undefined, { signal }).catch(
      () => undefined,
    );
  }
  return false;
}

/** An editor to start. */
interface EditorLaunch {
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

/** The command of the editor as it is, or in the workspace's sandbox with the agent before it. */
function launchCommand(launch: EditorLaunch): string[] {
  const { agentFile, editor, folder, paths, sandbox, workspaceId } = launch;
  const command = editor.command(paths, folder);
  return sandbox
    ? sandbox.command({
        workspaceId,
        paths,
        command: [process.execPath, agentFile, paths.agentSocket, ...command],
        cwd: folder,
        network: sandbox.network,
        readable: [
          ...launch.readable,
          ...command.filter(part => !isInWorkspace(part, paths)),
        ],
      })
    : command;
}

function isInWorkspace(place: string, paths: WorkspacePaths): boolean {
  return [paths.root, paths.run].some(folder => place.startsWith(folder));
}

/** Attempts and not a time: a portal that starts may itself be too busy to hear an answer. */
const ADOPT_ATTEMPTS = 5;
const ADOPT_PAUSE_MS = 500;

/** A running editor, started by this portal or by one before it. */
export class IdeProcess {
  #sockets: SandboxSockets | null = null;
  readonly #follower: LogFollower | null;
  readonly state: RunState;
  /** Resolves with a sentence for people when the editor is gone. */
  readonly exited: Promise<string>;

  private constructor(
    state: RunState,
    exited: Promise<string>,
    follower: LogFollower | null,
  ) {
    this.state = state;
    this.exited = exited;
    this.#follower = follower;
  }

  /** The socket at which the editor answers. */
  get socketPath(): string {
    return this.#sockets?.idePath ?? this.state.socket;
  }

  /** The agent in the editor's sandbox; null without one. */
  get agent(): AgentClient | null {
    return this.#sockets && new AgentClient(this.#sockets.agentPath);
  }

  /**
   * Starts an editor and waits until it answers.
   *
   * @throws ServiceUnavailableError when it does not answer in time or ends.
   */
  static async launch(launch: EditorLaunch): Promise<IdeProcess> {
    const { editor, paths, sandbox, signal, limits } = launch;
    await rm(paths.exitCode, { force: true });
    const logStart = await boundIdeLog(paths.ideLog);
    const child = spawnGuarded({
      command: launchCommand(launch),
      cwd: launch.folder,
      env: launch.env,
      mark: launch.mark,
      logFile: paths.ideLog,
      exitCodeFile: paths.exitCode,
      leaseFile: launch.leaseFile,
      lease: launch.lease,
      gated: sandbox?.network === 'own',
    });
    const exited = guardExit(child);
    if (child.pid === undefined) {
      throw new ServiceUnavailableError(await exited);
    }
    child.unref();
    const state: RunState = {
      pid: child.pid,
      startTime: startTimeOf(child.pid) ?? 'gone',
      socket: paths.socket,
      healthPath: editor.healthPath,
      editor: editor.editor,
      agentSocket: sandbox && paths.agentSocket,
      isolation: launch.isolation,
    };
    const follower = followIdeLog(paths.ideLog, logStart, launch.onLine);
    const ide = new IdeProcess(state, exited, follower);
    try {
      if (sandbox?.networkTools) {
        const tools = sandbox.networkTools;
        await openNetwork(child, { tools, env: launch.env });
      }
      // Recorded before it answers: a portal killed now must find it again. But
      // not without its network: the next portal could not give it one any more.
      await writeRunState(paths, state);
      await ide.#waitForAnswer(limits.startTimeoutMs, signal);
      ide.#pinSockets();
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
        const ide = new IdeProcess(state, adoptedGuardExit(state, paths), null);
        return ide.#tryPinSockets() ? ide : null;
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
    await this.#follower?.stop();
    this.#sockets?.close();
    this.#sockets = null;
  }

  #pinSockets(): void {
    const { agentSocket, socket } = this.state;
    if (agentSocket) {
      this.#sockets = SandboxSockets.open({ ide: socket, agent: agentSocket });
    }
  }

  /** False when the workspace took its sockets away: it is not to be reached any more. */
  #tryPinSockets(): boolean {
    try {
      this.#pinSockets();
      return true;
    } catch {
      return false;
    }
  }

  async #waitForAnswer(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const address = { socket: this.state.socket, path: this.state.healthPath };
    try {
      const outcome = await Promise.race([
        waitUntilHealthy(address, timeoutMs, either),
        this.exited,
      ]);
      if (outcome === false) {
        const seconds = Math.round(timeoutMs / 1000);
        throw new ServiceUnavailableError(
          `The editor did not respond within ${seconds} seconds`,
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
