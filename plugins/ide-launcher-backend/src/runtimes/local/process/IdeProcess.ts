import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '@backstage/errors';
import { WorkspaceIsolation } from '@slipway/plugin-ide-launcher-common';
import { startTimeOf } from '@slipway/processes';
import { StartedWorkspace } from '../../WorkspaceRuntime';
import { LaunchableEditor } from '../editors';
import { writeOwnFile } from '../files/ownFiles';
import { WorkspacePaths } from '../files/WorkspacePaths';
import { openNetwork } from '../network/NetworkGate';
import { LocalRuntimeOptions } from '../options';
import { Sandbox } from '../sandbox/Sandbox';
import { AgentClient, SandboxSockets } from '../sandbox/SandboxSockets';
import {
  adoptedGuardExit,
  endGuard,
  guardExit,
  isGuardAlive,
  readRunState,
  RunState,
  spawnGuarded,
} from './guard';
import { boundIdeLog, followIdeLog } from './programs';

const PROBE_INTERVAL_MS = 50;
const PROBE_TIMEOUT_MS = 2_000;

/** The socket and path of an editor's health check. */
interface HealthAddress {
  socket: string;
  path: string;
}

/**
 * Requests the health check once; returns whether the response is 200. The server is untrusted: its
 * response must be complete within the time limit. An abort counts as no response.
 */
export function isHealthy(
  address: HealthAddress,
  signal?: AbortSignal,
): Promise<boolean> {
  const timeout = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  return new Promise(resolve => {
    const probe = request(
      {
        socketPath: address.socket,
        path: address.path,
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      },
      response => {
        // Editors respond with 404 briefly, before their routes are mounted.
        resolve(response.statusCode === 200);
        response.destroy();
      },
    );
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

/** An editor to start. */
interface EditorLaunch {
  editor: LaunchableEditor;
  paths: WorkspacePaths;
  /** Folder that the editor opens. */
  folder: string;
  env: Record<string, string>;
  mark: string;
  /** null: a plain process. */
  sandbox: Sandbox | null;
  workspaceId: string;
  isolation: WorkspaceIsolation;
  /** Files referenced by the environment. */
  readable: string[];
  leaseFile: string;
  options: Pick<LocalRuntimeOptions, 'agentFile' | 'lease' | 'limits'>;
  signal: AbortSignal;
  onLine(line: string): void;
}

/** Returns the editor's command, run by the agent in the workspace's sandbox if there is one. */
function launchCommand(launch: EditorLaunch): string[] {
  const { editor, folder, options, paths, sandbox, workspaceId } = launch;
  const command = editor.command(paths, folder);
  return sandbox
    ? sandbox.command({
        workspaceId,
        paths,
        command: [
          process.execPath,
          options.agentFile,
          paths.agentSocket,
          ...command,
        ],
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

/** Health checks before an editor is given up; several, because a starting portal may be too busy to read. */
const ADOPT_ATTEMPTS = 5;
const ADOPT_PAUSE_MS = 500;

/** A running editor, started by this portal or an earlier one. */
export class IdeProcess {
  #sockets: SandboxSockets | null = null;
  readonly #stopLog: () => Promise<void>;
  readonly #ending = new AbortController();
  /** Aborts when the portal ends the editor. */
  readonly ending = this.#ending.signal;
  readonly state: RunState;
  /** Resolves with a sentence for users when the editor has ended. */
  readonly exited: Promise<string>;

  private constructor(
    state: RunState,
    exited: Promise<string>,
    stopLog: () => Promise<void> = async () => {},
  ) {
    this.state = state;
    this.exited = exited;
    this.#stopLog = stopLog;
  }

  /** The workspace of this editor. */
  get started(): StartedWorkspace {
    const socketPath = () => this.#sockets?.idePath ?? this.state.socket;
    return {
      target: {
        kind: 'socket',
        // Becomes a path to nowhere when the editor ends: the gateway may still have this target when the
        // socket's descriptor is reused.
        get path() {
          return socketPath();
        },
      },
      editor: this.state.editor,
    };
  }

  /** The agent in the editor's sandbox; null without one. */
  get agent(): AgentClient | null {
    return this.#sockets?.agent ?? null;
  }

  /**
   * Starts an editor and waits until it responds.
   *
   * @throws ServiceUnavailableError if it does not respond in time or ends.
   */
  static async launch(launch: EditorLaunch): Promise<IdeProcess> {
    const { editor, options, paths, sandbox, signal } = launch;
    const { startTimeoutMs, stopTimeoutMs } = options.limits;
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
      lease: options.lease,
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
    const stopLog = followIdeLog(paths.ideLog, logStart, launch.onLine);
    const ide = new IdeProcess(state, exited, stopLog);
    try {
      if (sandbox?.networkTools) {
        const tools = sandbox.networkTools;
        await openNetwork(child, { tools, env: launch.env });
      }
      // Recorded before it responds, so that the next portal finds it if this one is killed now.
      // But not before it has its network, which the next portal could not provide.
      await writeOwnFile(paths.runState, JSON.stringify(state));
      await ide.#waitForAnswer(startTimeoutMs, signal);
      ide.#pinSockets();
      return ide;
    } catch (error) {
      await ide.end(stopTimeoutMs);
      throw error;
    }
  }

  /** Adopts the editor of an earlier portal; null if it has ended or does not respond. */
  static async adopt(paths: WorkspacePaths): Promise<IdeProcess | null> {
    const state = await readRunState(paths.runState);
    if (!state) {
      return null;
    }
    for (let attempt = 0; attempt < ADOPT_ATTEMPTS; attempt += 1) {
      if (!isGuardAlive(state)) {
        return null;
      }
      if (await isHealthy({ socket: state.socket, path: state.healthPath })) {
        const ide = new IdeProcess(state, adoptedGuardExit(state, paths));
        return ide.#tryPinSockets() ? ide : null;
      }
      await sleep(ADOPT_PAUSE_MS);
    }
    return null;
  }

  /** Asks the editor to end, and kills its process group if it does not. */
  async end(timeoutMs: number): Promise<void> {
    this.#ending.abort();
    await endGuard(this.state, timeoutMs);
    await this.release();
  }

  /** Stops following the editor's log; the editor keeps running. */
  async release(): Promise<void> {
    await this.#stopLog();
    this.#sockets?.close();
  }

  #pinSockets(): void {
    const { agentSocket, socket } = this.state;
    if (agentSocket) {
      this.#sockets = SandboxSockets.open({ ide: socket, agent: agentSocket });
    }
  }

  /** Pins the sockets. Returns false if the workspace has removed them, so that it is unreachable. */
  #tryPinSockets(): boolean {
    try {
      this.#pinSockets();
      return true;
    } catch {
      return false;
    }
  }

  /** Polls the health check until the editor responds. */
  async #waitForAnswer(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const address = { socket: this.state.socket, path: this.state.healthPath };
    const exit = new AbortController();
    void this.exited.then(reason =>
      exit.abort(new ServiceUnavailableError(`${reason} before it was ready`)),
    );
    const either = AbortSignal.any([signal, exit.signal]);
    const end = Date.now() + timeoutMs;
    while (!(await isHealthy(address, either))) {
      // Before the time limit, because an editor that has ended or is no longer wanted is the cause.
      either.throwIfAborted();
      if (Date.now() >= end) {
        const seconds = Math.round(timeoutMs / 1000);
        throw new ServiceUnavailableError(
          `The editor did not respond within ${seconds} seconds`,
        );
      }
      await sleep(PROBE_INTERVAL_MS);
    }
  }
}
