import { mkdir } from 'node:fs/promises';
import { StartReporter, WorkspaceSpec } from '../WorkspaceRuntime';
import { EditorProvider, LaunchableEditor } from './editors';
import { workspaceEnvironment, openFolder } from './files/devfileEnvironment';
import { writeEditorFiles } from './files/editorFiles';
import { InstallationPaths, WorkspacePaths } from './files/WorkspacePaths';
import { memoryLimitOf } from './limits/limits';
import { Semaphore } from './limits/Semaphore';
import { LocalRuntimeOptions } from './options';
import { IdeProcess } from './process/IdeProcess';
import { declarePostStart, runPostStart } from './process/postStartCommands';
import { markEntry } from './process/processTable';
import { runInWorkspace, WorkspaceProgram } from './process/runInWorkspace';
import {
  bringProjects,
  missingProjects,
  projectStep,
} from './projects/bringProjects';
import { gitEnvironment } from './projects/cloneProject';
import { ArchiveSource, GitGuard } from './projects/remotes';
import { describeIsolation, Isolation } from './sandbox/isolation';
import { Sandbox, workspaceFolders } from './sandbox/Sandbox';

/** What every start of an installation shares. */
export interface StartDependencies {
  options: LocalRuntimeOptions;
  installation: InstallationPaths;
  editors: EditorProvider;
  /** Bounds how many editors start at the same time. */
  turns: Semaphore;
  isolation: Isolation;
  gitGuard: GitGuard;
  archives: ArchiveSource;
  /** Certificate authorities for git; undefined for the system's. */
  caBundle: string | undefined;
}

/** What the programs of one start have in their environment. */
class StartEnvironment {
  readonly #options: StartDependencies['options'];
  readonly #caBundle: string | undefined;
  readonly #devfile: WorkspaceSpec['devfile'];
  readonly #paths: WorkspacePaths;
  /** `NAME=value`, by which every process of the workspace is found. */
  readonly mark: string;

  constructor(dependencies: StartDependencies, spec: WorkspaceSpec) {
    const { caBundle, installation, options } = dependencies;
    this.#options = options;
    this.#caBundle = caBundle;
    this.#devfile = spec.devfile;
    this.#paths = installation.of(spec.id);
    this.mark = markEntry({
      installation: installation.installation,
      workspaceId: spec.id,
    });
  }

  /** Files outside the workspace that the variables name. */
  get files(): string[] {
    return this.#caBundle ? [this.#caBundle] : [];
  }

  /** The whole environment of the editor and of the devfile's commands. */
  ofEditor(): Record<string, string> {
    const { path, environment } = this.#options;
    return workspaceEnvironment(this.#devfile, this.#paths, {
      path,
      extra: {
        // What was cloned can be pulled and pushed from the terminal too.
        ...(this.#caBundle && {
          GIT_SSL_CAINFO: this.#caBundle,
          NODE_EXTRA_CA_CERTS: this.#caBundle,
        }),
        ...environment,
      },
      mark: this.mark,
    });
  }

  /** The whole environment of the programs that bring the projects. */
  ofGit(): Record<string, string> {
    const { path, environment } = this.#options;
    return gitEnvironment({
      path,
      home: this.#paths.home,
      mark: this.mark,
      caFile: this.#caBundle,
      extra: environment,
    });
  }
}

const INSTALL_STEP = { id: 'editor', title: 'Install editor' };
const IDE_STEP = { id: 'ide', title: 'Start editor' };

/** One start of one workspace, from its devfile to an editor that answers. */
export class WorkspaceStart {
  private readonly paths: WorkspacePaths;
  private readonly environment: StartEnvironment;

  constructor(
    private readonly dependencies: StartDependencies,
    private readonly spec: WorkspaceSpec,
    private readonly reporter: StartReporter,
  ) {
    this.paths = dependencies.installation.of(spec.id);
    this.environment = new StartEnvironment(dependencies, spec);
  }

  /**
   * Runs the steps of the start in order, each told to the reporter.
   *
   * @throws ServiceUnavailableError naming the step that failed; the signal's reason when it aborts.
   */
  async run(signal: AbortSignal): Promise<IdeProcess> {
    await this.createFolders();
    await this.sandbox?.prepare(this.spec.id, this.paths);
    await this.declareSteps();
    const editor = await this.requireEditor(signal);
    await bringProjects({
      devfile: this.spec.devfile,
      paths: this.paths,
      env: this.environment.ofGit(),
      run: program => this.runOutside(program),
      guard: this.dependencies.gitGuard,
      archives: this.dependencies.archives,
      limits: this.dependencies.options.limits,
      reporter: this.reporter,
      signal,
    });
    await writeEditorFiles(this.spec.devfile, this.paths);
    return this.launch(editor, signal);
  }

  /** Runs the devfile's postStart commands; for after the editor answers. */
  async runPostStart(ide: IdeProcess, signal: AbortSignal): Promise<void> {
    const { agent } = ide;
    await runPostStart({
      run: agent ? program => agent.run(program) : runInWorkspace,
      devfile: this.spec.devfile,
      paths: this.paths,
      env: this.environment.ofEditor(),
      timeoutMs: this.dependencies.options.limits.commandTimeoutMs,
      reporter: this.reporter,
      signal,
    });
  }

  private async createFolders() {
    const { root, logs } = this.paths;
    for (const folder of [root, logs, ...workspaceFolders(this.paths)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
  }

  private async declareSteps() {
    const { devfile } = this.spec;
    if (this.dependencies.editors.availability().state !== 'ready') {
      this.reporter.step({ ...INSTALL_STEP, state: 'pending' });
    }
    for (const project of await missingProjects(devfile, this.paths)) {
      this.reporter.step({ ...projectStep(project), state: 'pending' });
    }
    this.reporter.step({ ...IDE_STEP, state: 'pending' });
    declarePostStart(devfile, this.reporter);
  }

  private async requireEditor(signal: AbortSignal): Promise<LaunchableEditor> {
    const { editors } = this.dependencies;
    const needed = editors.availability().state !== 'ready';
    try {
      const editor = await editors.require(signal, ({ fraction, message }) =>
        this.reporter.step({
          ...INSTALL_STEP,
          state: 'running',
          progress: fraction,
          message,
        }),
      );
      if (needed) {
        this.reporter.step({ ...INSTALL_STEP, state: 'done', message: null });
      }
      return editor;
    } catch (error) {
      this.fail(INSTALL_STEP, error);
      throw error;
    }
  }

  private async launch(
    editor: LaunchableEditor,
    signal: AbortSignal,
  ): Promise<IdeProcess> {
    const { options, installation, isolation, turns } = this.dependencies;
    if (turns.waiting > 0) {
      this.reporter.step({
        ...IDE_STEP,
        state: 'pending',
        message: 'Waiting for other workspaces that start',
      });
    }
    try {
      const ide = await turns.run(signal, () => {
        this.reporter.step({ ...IDE_STEP, state: 'running', message: null });
        return IdeProcess.launch({
          editor,
          paths: this.paths,
          folder: openFolder(this.spec.devfile, this.paths),
          env: this.environment.ofEditor(),
          mark: this.environment.mark,
          sandbox: this.sandbox,
          workspaceId: this.spec.id,
          agentFile: options.agentFile,
          readable: this.environment.files,
          isolation: describeIsolation(isolation, this.memoryBytes),
          leaseFile: installation.lease,
          lease: options.lease,
          limits: options.limits,
          signal,
          onLine: line => this.reporter.log('ide', line),
        });
      });
      this.reporter.step({ ...IDE_STEP, state: 'done', message: null });
      return ide;
    } catch (error) {
      this.fail(IDE_STEP, error);
      throw error;
    }
  }

  /** Memory that the workspace may take, in bytes. */
  private get memoryBytes(): number {
    const { limits } = this.dependencies.options;
    return memoryLimitOf(this.spec.devfile, limits.memoryBytes);
  }

  private get sandbox(): Sandbox | null {
    return this.dependencies.isolation.sandbox;
  }

  /** Runs a program before there is an editor: in a sandbox of its own, with this machine's network. */
  private runOutside(program: WorkspaceProgram): Promise<string | null> {
    const { sandbox, paths, spec } = this;
    return runInWorkspace(
      sandbox
        ? {
            ...program,
            command: sandbox.command({
              workspaceId: spec.id,
              paths,
              command: program.command,
              cwd: program.cwd,
              network: 'shared',
              readable: this.environment.files,
            }),
          }
        : program,
    );
  }

  private fail(step: { id: string; title: string }, error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    this.reporter.step({ ...step, state: 'failed', message });
  }
}
