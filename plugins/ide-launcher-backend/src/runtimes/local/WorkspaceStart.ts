import { mkdir } from 'node:fs/promises';
import { StartReporter, WorkspaceSpec } from '../WorkspaceRuntime';
import { bringProjects, missingProjects, projectStep } from './bringProjects';
import { writeEditorFiles } from './editorFiles';
import { LaunchableEditor } from './editors';
import { IdeProcess } from './IdeProcess';
import { describeIsolation } from './isolation/chooseIsolation';
import { Sandbox } from './isolation/Sandbox';
import { workspaceFolders } from './isolation/WorkspaceUsers';
import { memoryLimitOf } from './memoryLimit';
import { declarePostStart, runPostStart } from './postStartCommands';
import { openFolder } from './projectFolders';
import { runInWorkspace, WorkspaceProgram } from './runInWorkspace';
import { StartDependencies } from './StartDependencies';
import { StartEnvironment } from './StartEnvironment';
import { WorkspacePaths } from './WorkspacePaths';

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
