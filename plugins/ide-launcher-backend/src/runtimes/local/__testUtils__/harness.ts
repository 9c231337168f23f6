import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mockServices } from '@backstage/backend-test-utils';
import { startTimeOf } from '@slipway/processes';
import { Devfile } from '../../../devfile/types';
import { IdeAddresses } from '../../../ide-gateway/ideRoutes';
import { StartReporter, WorkspaceSpec } from '../../WorkspaceRuntime';
import { withoutIsolation } from '../sandbox/isolation';
import { Isolation } from '../sandbox/Sandbox';
import { GitGuard } from '../projects/cloneProject';
import { Lease } from '../process/guard';
import { LocalRuntime } from '../LocalRuntime';
import { LocalRuntimeOptions } from '../options';
import { findWorkspaceProcesses } from '../process/processTable';
import { createStartDependencies } from '../WorkspaceStart';
import { InstallationPaths } from '../files/WorkspacePaths';
import { makeDevfile } from '../../../__testUtils__/devfile';
import { FakeArchiveSource } from './FakeArchiveSource';

const FAKE_EDITOR = fileURLToPath(
  new URL('../__fixtures__/fakeEditor.mjs', import.meta.url),
);

const AGENT = fileURLToPath(
  new URL('../../../../assets/workspace-agent.cjs', import.meta.url),
);

/** Id of the workspace that {@link Harness.startWith} starts. */
export const WORKSPACE_ID = 'workspace-01test';

/** A signal that never aborts. */
export const never = new AbortController().signal;

/** Allows every address; the real guard has its own tests. */
export const anyRemote: GitGuard = {
  admit: async url => ({ url, config: [] }),
};

/** Records the reports of a start. */
export class RecordingReporter implements StartReporter {
  /** Latest state of each step, in the order of their declaration. */
  readonly steps = new Map<
    string,
    { state: string; message?: string | null }
  >();
  readonly lines: string[] = [];
  readonly warnings: string[] = [];

  step({ id, state, message }: Parameters<StartReporter['step']>[0]): void {
    this.steps.set(id, { state, message });
  }

  log(source: string, text: string): void {
    this.lines.push(`${source}: ${text}`);
  }

  warn(message: string): void {
    this.warnings.push(message);
  }
}

/** A data folder, and runtimes that start the fake editor in it; deleted by {@link Harness.close}. */
export class Harness {
  readonly #isolation: Isolation;
  readonly dataDir = mkdtempSync(path.join(tmpdir(), 'local-runtime-'));
  /** Archives by their address; read when a workspace starts. */
  readonly archives = new FakeArchiveSource();
  readonly #runtimes: LocalRuntime[] = [];

  constructor(isolation: Isolation = withoutIsolation('Not asked for.')) {
    this.#isolation = isolation;
  }

  /** Creates another runtime on the same data folder, like a restarted portal. */
  runtime(overrides: Partial<LocalRuntimeOptions> = {}): LocalRuntime {
    const runtime = this.#create({ ...this.options(), ...overrides });
    this.#runtimes.push(runtime);
    return runtime;
  }

  #create(options: LocalRuntimeOptions): LocalRuntime {
    const installation = new InstallationPaths(options.dataDir);
    return new LocalRuntime(
      createStartDependencies(options, {
        isolation: this.#isolation,
        gitGuard: anyRemote,
        archives: this.archives,
      }),
      new Lease(installation.lease, options.lease.intervalMs),
    );
  }

  options(): LocalRuntimeOptions {
    return {
      dataDir: this.dataDir,
      logger: mockServices.rootLogger(),
      editorCommand: {
        command: [process.execPath, FAKE_EDITOR],
        title: 'Fake',
        healthPath: '/healthz',
      },
      managedTool: null,
      toolsFolder: path.join(this.dataDir, 'tools'),
      path: process.env.PATH ?? '',
      environment: {},
      addresses: new IdeAddresses('http://localhost:7010/w/{workspace}/'),
      limits: {
        concurrentStarts: 2,
        startTimeoutMs: 90_000,
        stopTimeoutMs: 3_000,
        cloneTimeoutMs: 120_000,
        cloneMaxBytes: 1024 ** 2,
        commandTimeoutMs: 60_000,
        processes: 200,
        openFiles: 4_096,
        memoryBytes: 1024 ** 3,
      },
      isolation: {
        mode: 'auto',
        network: 'auto',
        allowedNetworks: [],
        readable: [],
        firstUid: 2_000_000_000,
      },
      agentFile: AGENT,
      lease: { intervalMs: 500, timeoutMs: 60_000 },
    };
  }

  spec(id: string, devfile: Devfile = makeDevfile()): WorkspaceSpec {
    return {
      id,
      name: 'demo',
      namespace: 'ada',
      owner: 'user:default/ada',
      devfile,
    };
  }

  /** Begins a start, and returns its promise with its reporter. */
  startWith(devfile: Devfile = makeDevfile(), runtime = this.runtime()) {
    const reporter = new RecordingReporter();
    return {
      runtime,
      reporter,
      started: runtime.start(this.spec(WORKSPACE_ID, devfile), reporter, never),
    };
  }

  /** Returns the running processes of workspaces in this directory. */
  processes(): ReturnType<typeof findWorkspaceProcesses> {
    return findWorkspaceProcesses(
      new InstallationPaths(this.dataDir).installation,
    );
  }

  async close(): Promise<void> {
    for (const runtime of this.#runtimes) {
      await runtime.shutdown({ stopWorkspaces: true });
    }
    const last = this.#create(this.options());
    for (const { id } of await last.list()) {
      await last.delete(id);
    }
    await last.shutdown({ stopWorkspaces: true });
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

/** Sends a request to the fake editor behind a workspace's target. */
export async function askEditor<T>(
  started: AskedWorkspace,
  action: string,
): Promise<T> {
  return JSON.parse(await askEditorText(started, action));
}

/** A workspace whose editor listens on a socket. */
interface AskedWorkspace {
  target: { kind: string; path?: string } | null;
}

/** Reads a path of the editor behind a workspace's target. */
export function askEditorText(
  started: AskedWorkspace,
  action: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath: started.target?.path, path: action },
      response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', chunk => (text += chunk));
        response.on('end', () => resolve(text));
      },
    );
    call.on('error', reject);
    call.end();
  });
}

/** Returns whether a process is running; zombies do not count. */
export async function isAlive(pid: number): Promise<boolean> {
  return startTimeOf(pid) !== undefined;
}
