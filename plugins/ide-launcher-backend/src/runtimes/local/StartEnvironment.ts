import { WorkspaceSpec } from '../WorkspaceRuntime';
import { gitEnvironment } from './cloneProject';
import { workspaceEnvironment } from './devfileEnvironment';
import { StartDependencies } from './StartDependencies';
import { markEntry } from './workspaceMark';
import { WorkspacePaths } from './WorkspacePaths';

/** What the programs of one start have in their environment. */
export class StartEnvironment {
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
