import { StartReporter } from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import { ClusterEvent, DevWorkspace } from './objects/types';

/**
 * What the cluster reports of one workspace and its pods, written to the log of
 * a start: here stands that an image cannot be pulled or a volume not be mounted.
 */
export class ClusterEvents {
  readonly #api: Pick<ClusterApi, 'listEvents'>;
  readonly #reporter: StartReporter;
  readonly #seen = new Map<string, string>();

  constructor(options: {
    api: Pick<ClusterApi, 'listEvents'>;
    reporter: StartReporter;
  }) {
    this.#api = options.api;
    this.#reporter = options.reporter;
  }

  /** Notes what there is already, of an earlier start perhaps, without reporting it. */
  async skip(workspace: DevWorkspace): Promise<void> {
    await this.#fresh(workspace);
  }

  /** Reports what is new. Events are a help: where they cannot be read, nothing fails. */
  async report(workspace: DevWorkspace): Promise<void> {
    for (const { message, reason, type } of await this.#fresh(workspace)) {
      const line = [reason, message].filter(Boolean).join(': ');
      this.#reporter.log(
        'slipway',
        type === 'Warning' ? `Warning: ${line}` : line,
      );
    }
  }

  async #fresh(workspace: DevWorkspace): Promise<ClusterEvent[]> {
    const { namespace = '' } = workspace.metadata;
    const events = await this.#api.listEvents(namespace).catch(() => []);
    return events.filter(event => {
      const { resourceVersion = '', uid = '' } = event.metadata;
      if (
        !concerns(event, workspace) ||
        this.#seen.get(uid) === resourceVersion
      ) {
        return false;
      }
      this.#seen.set(uid, resourceVersion);
      return true;
    });
  }
}

/** The operator names everything it makes for a workspace after the workspace's id in the cluster. */
function concerns(event: ClusterEvent, workspace: DevWorkspace): boolean {
  const { name = '' } = event.involvedObject;
  const id = workspace.status?.devworkspaceId;
  return (
    name === workspace.metadata.name ||
    (id !== undefined && (name === id || name.startsWith(`${id}-`)))
  );
}
