import { mkdir } from 'node:fs/promises';
import { Semaphore } from '../../queues';
import { StartReporter, WorkspaceSpec } from '../WorkspaceRuntime';
import {
  declarePostStart,
  runPostStart,
  writeEditorFiles,
} from './devfileCommands';
import { EditorProvider, LaunchableEditor } from './editors';
import { InstallationPaths, WorkspacePaths } from './files/WorkspacePaths';
import {
  memoryLimitOf,
  openFolder,
  workspaceEnvironment,
} from './localDevfile';
import { LocalRuntimeOptions } from './options';
import { IdeProcess } from './process/IdeProcess';
import { markVariable } from './process/processTable';
import { runInWorkspace, WorkspaceProgram } from './process/programs';
import {
  bringProjects,
  missingProjects,
  projectStep,
} from './projects/bringProjects';
import { gitEnvironment, GitGuard } from './projects/cloneProject';
import { ArchiveSource } from './projects/unpackProject';
import {
  describeIsolation,
  Isolation,
  Sandbox,
  workspaceFolders,
} from './sandbox/Sandbox';

/** Dependencies shared by all starts of an installation. */
export interface StartDependencies {
  options: LocalRuntimeOptions;
  installation: InstallationPaths;
  editors: EditorProvider;
  /** Limits how many editors start at the same time. */
  turns: Semaphore;
  isolation: Isolation;
  gitGuard: GitGuard;
  archives: ArchiveSource;
  /** Certificate authorities for git; undefined for the system's. */
  caBundle: string | undefined;
}

/** The environment of the programs of one start. */
interface StartEnvironment {
  /** `NAME=value` that identifies all processes of the workspace. */
  mark: string;
  /** Files outside the workspace referenced by variables. */
  files: string[];
  /** The complete environment of the editor and of the devfile's commands. */
  editor: Record<string, string>;
  /** The complete environment of the programs that fetch the projects. */
  git: Record<string, string>;
}

const INSTALL_STEP = { id: 'editor', title: 'Install editor' };
const IDE_STEP = { id: 'ide', title: 'Start editor' };

/** One start of one workspace, from its devfile to a responding editor. */
export class WorkspaceStart {
  readonly #dependencies: StartDependencies;
  readonly #spec: WorkspaceSpec;
  readonly #reporter: StartReporter;
  readonly #paths: WorkspacePaths;
  readonly #environment: StartEnvironment;

  constructor(
    dependencies: StartDependencies,
    spec: WorkspaceSpec,
    reporter: StartReporter,
  ) {
    this.#dependencies = dependencies;
    this.#spec = spec;
    this.#reporter = reporter;
    this.#paths = dependencies.installation.of(spec.id);
    this.#environment = startEnvironment(dependencies, spec);
  }

  /**
   * Runs the steps of the start in order and reports each one.
   *
   * @throws ServiceUnavailableError naming the step that failed; the signal's reason when it
   * aborts.
   */
  async run(signal: AbortSignal): Promise<IdeProcess> {
    await this.#createFolders();
    await this.#sandbox?.prepare(this.#spec.id, this.#paths);
    await this.#declareSteps();
    const editor = await this.#requireEditor(signal);
    await bringProjects({
      devfile: this.#spec.devfile,
      paths: this.#paths,
      env: this.#environment.git,
      run: program => this.#runOutside(program),
      guard: this.#dependencies.gitGuard,
      archives: this.#dependencies.archives,
      limits: this.#dependencies.options.limits,
      reporter: this.#reporter,
      signal,
    });
    await writeEditorFiles(this.#spec.devfile, this.#paths);
    return this.#launch(editor, signal);
  }

  /** Runs the devfile's postStart commands. Call after the editor responds. */
  async runPostStart(ide: IdeProcess, signal: AbortSignal): Promise<void> {
    const { agent } = ide;
    await runPostStart({
      run: agent ? program => agent.run(program) : runInWorkspace,
      devfile: this.#spec.devfile,
      paths: this.#paths,
      env: this.#environment.editor,
      timeoutMs: this.#dependencies.options.limits.commandTimeoutMs,
      reporter: this.#reporter,
      signal,
    });
  }

  async #createFolders() {
    const { root, logs } = this.#paths;
    for (const folder of [root, logs, ...workspaceFolders(this.#paths)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
  }

  async #declareSteps() {
    const { devfile } = this.#spec;
    if (this.#dependencies.editors.availability().state !== 'ready') {
      this.#reporter.step({ ...INSTALL_STEP, state: 'pending' });
    }
    for (const project of await missingProjects(devfile, this.#paths)) {
      this.#reporter.step({ ...projectStep(project), state: 'pending' });
    }
    this.#reporter.step({ ...IDE_STEP, state: 'pending' });
    declarePostStart(devfile, this.#reporter);
  }

  async #requireEditor(signal: AbortSignal): Promise<LaunchableEditor> {
    const { editors } = this.#dependencies;
    const needed = editors.availability().state !== 'ready';
    try {
      const editor = await editors.require(signal, ({ fraction, message }) =>
        this.#reporter.step({
          ...INSTALL_STEP,
          state: 'running',
          progress: fraction,
          message,
        }),
      );
      if (needed) {
        this.#reporter.step({ ...INSTALL_STEP, state: 'done', message: null });
      }
      return editor;
    } catch (error) {
      this.#fail(INSTALL_STEP, error);
      throw error;
    }
  }

  async #launch(
    editor: LaunchableEditor,
    signal: AbortSignal,
  ): Promise<IdeProcess> {
    const { options, installation, isolation, turns } = this.#dependencies;
    if (turns.waiting > 0) {
      this.#reporter.step({
        ...IDE_STEP,
        state: 'pending',
        message: 'Waiting for other workspaces to start',
      });
    }
    try {
      const ide = await turns.run(signal, () => {
        this.#reporter.step({ ...IDE_STEP, state: 'running', message: null });
        return IdeProcess.launch({
          editor,
          paths: this.#paths,
          folder: openFolder(this.#spec.devfile, this.#paths),
          env: this.#environment.editor,
          mark: this.#environment.mark,
          sandbox: this.#sandbox,
          workspaceId: this.#spec.id,
          agentFile: options.agentFile,
          readable: this.#environment.files,
          isolation: describeIsolation(isolation, this.#memoryBytes),
          leaseFile: installation.lease,
          lease: options.lease,
          limits: options.limits,
          signal,
          onLine: line => this.#reporter.log('ide', line),
        });
      });
      this.#reporter.step({ ...IDE_STEP, state: 'done', message: null });
      return ide;
    } catch (error) {
      this.#fail(IDE_STEP, error);
      throw error;
    }
  }

  /** The workspace's memory limit in bytes. */
  get #memoryBytes(): number {
    const { limits } = this.#dependencies.options;
    return memoryLimitOf(this.#spec.devfile, limits.memoryBytes);
  }

  get #sandbox(): Sandbox | null {
    return this.#dependencies.isolation.sandbox;
  }

  /** Runs a program before the editor exists, in a separate sandbox with this machine's network. */
  #runOutside(program: WorkspaceProgram): Promise<string | null> {
    const sandbox = this.#sandbox;
    return runInWorkspace(
      sandbox
        ? {
            ...program,
            command: sandbox.command({
              workspaceId: this.#spec.id,
              paths: this.#paths,
              command: program.command,
              cwd: program.cwd,
              network: 'shared',
              readable: this.#environment.files,
            }),
          }
        : program,
    );
  }

  #fail(step: { id: string; title: string }, error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    this.#reporter.step({ ...step, state: 'failed', message });
  }
}

function startEnvironment(
  { caBundle, installation, options }: StartDependencies,
  spec: WorkspaceSpec,
): StartEnvironment {
  const paths = installation.of(spec.id);
  const mark = markVariable({
    installation: installation.installation,
    workspaceId: spec.id,
  });
  const marked = Object.fromEntries([mark]);
  const { path, environment } = options;
  return {
    mark: mark.join('='),
    files: caBundle ? [caBundle] : [],
    editor: {
      ...workspaceEnvironment(spec.devfile, paths, {
        path,
        extra: {
          // Lets the terminal pull and push the cloned projects too.
          ...(caBundle && {
            GIT_SSL_CAINFO: caBundle,
            NODE_EXTRA_CA_CERTS: caBundle,
          }),
          ...environment,
        },
      }),
      ...marked,
    },
    git: {
      ...gitEnvironment({
        path,
        home: paths.home,
        caFile: caBundle,
        extra: environment,
      }),
      ...marked,
    },
  };
}
