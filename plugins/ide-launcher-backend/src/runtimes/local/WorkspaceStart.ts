import { mkdir } from 'node:fs/promises';
import path from 'node:path';
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
  writeCommitAuthor,
} from './projects/bringProjects';
import {
  gitEnvironment,
  GitGuard,
  writeGitCaBundle,
} from './projects/cloneProject';
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

/** Prepares the data folder and looks for an editor. */
export function createStartDependencies(
  options: LocalRuntimeOptions,
  walls: Pick<StartDependencies, 'isolation' | 'gitGuard' | 'archives'>,
): StartDependencies {
  const installation = new InstallationPaths(options.dataDir);
  installation.create();
  let caBundle: string | undefined;
  if (options.caFile) {
    caBundle = path.join(options.dataDir, 'git-ca.pem');
    writeGitCaBundle(options.caFile, caBundle);
  }
  return {
    ...walls,
    options,
    installation,
    editors: new EditorProvider(options),
    turns: new Semaphore(options.limits.concurrentStarts),
    caBundle,
  };
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
   * Runs the steps of the start in order and reports each one. The postStart commands continue in the
   * background until they or the editor end.
   *
   * @throws ServiceUnavailableError naming the step that failed; the signal's reason when it
   * aborts.
   */
  async run(signal: AbortSignal): Promise<IdeProcess> {
    const { logs, root } = this.#paths;
    for (const folder of [root, logs, ...workspaceFolders(this.#paths)]) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
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
    await writeCommitAuthor(this.#spec.author, this.#paths);
    const ide = await this.#launch(editor, signal);
    this.#runPostStart(ide).catch(error =>
      this.#dependencies.options.logger.warn(
        `The postStart commands of ${this.#spec.id} failed`,
        error,
      ),
    );
    return ide;
  }

  async #runPostStart({ agent, ending }: IdeProcess): Promise<void> {
    await runPostStart({
      run: agent ? program => agent.run(program) : runInWorkspace,
      devfile: this.#spec.devfile,
      paths: this.#paths,
      env: this.#environment.editor,
      timeoutMs: this.#dependencies.options.limits.commandTimeoutMs,
      reporter: this.#reporter,
      signal: ending,
    });
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
    return this.#step(INSTALL_STEP, async () => {
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
    });
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
    return this.#step(IDE_STEP, async () => {
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
          readable: this.#environment.files,
          isolation: describeIsolation(
            isolation,
            memoryLimitOf(this.#spec.devfile, options.limits.memoryBytes),
          ),
          leaseFile: installation.lease,
          options,
          signal,
          onLine: line => this.#reporter.log('ide', line),
        });
      });
      this.#reporter.step({ ...IDE_STEP, state: 'done', message: null });
      return ide;
    });
  }

  get #sandbox(): Sandbox | null {
    return this.#dependencies.isolation.sandbox;
  }

  /** Runs a program before the editor exists, in a separate sandbox with this machine's network. */
  #runOutside(program: WorkspaceProgram): Promise<string | null> {
    const command = this.#sandbox?.command({
      workspaceId: this.#spec.id,
      paths: this.#paths,
      command: program.command,
      cwd: program.cwd,
      network: 'shared',
      readable: this.#environment.files,
    });
    return runInWorkspace(command ? { ...program, command } : program);
  }

  /** Runs a step, and reports its failure. */
  async #step<T>(
    step: { id: string; title: string },
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#reporter.step({ ...step, state: 'failed', message });
      throw error;
    }
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
  // Lets the terminal pull and push the cloned projects too.
  const authorities = caBundle && {
    GIT_SSL_CAINFO: caBundle,
    NODE_EXTRA_CA_CERTS: caBundle,
  };
  return {
    mark: mark.join('='),
    files: caBundle ? [caBundle] : [],
    editor: {
      ...workspaceEnvironment(spec.devfile, paths, {
        path: options.path,
        extra: { ...authorities, ...options.environment },
      }),
      // Without it, code-server resolves links to local ports to its own proxy, which is disabled.
      VSCODE_PROXY_URI: options.addresses.portTemplate(spec.id),
      ...marked,
    },
    git: {
      ...gitEnvironment({
        path: options.path,
        home: paths.home,
        caFile: caBundle,
        extra: options.environment,
      }),
      ...marked,
    },
  };
}
