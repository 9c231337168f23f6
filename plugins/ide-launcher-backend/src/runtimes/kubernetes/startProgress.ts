import { StartReporter } from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import {
  DevWorkspace,
  DevWorkspaceCondition,
  ClusterEvent,
} from './objects/types';

/** The operator's conditions and their titles for users, in the order in which they become true. */
const STEPS: ReadonlyMap<string, string> = new Map([
  ['DevWorkspaceResolved', 'Resolve the devfile'],
  ['StorageReady', 'Prepare the storage'],
  ['RoutingReady', 'Open the routes'],
  ['ServiceAccountReady', 'Prepare the service account'],
  ['PullSecretsReady', 'Find the pull secrets'],
  ['KubernetesComponentsProvisioned', 'Deploy the components'],
  ['DeploymentReady', 'Start the containers'],
  ['Ready', 'Wait for the IDE'],
]);

const WARNING_CONDITION = 'DevWorkspaceWarning';

/**
 * Reports the operator's progress to a start's reporter: conditions become steps, their messages
 * log lines.
 */
export class ConditionReporter {
  readonly #reporter: StartReporter;
  readonly #told = new Map<string, string>();

  constructor(reporter: StartReporter) {
    this.#reporter = reporter;
  }

  /** Reports changes since the last call. */
  report({ status }: DevWorkspace): void {
    for (const condition of status?.conditions ?? []) {
      if (condition.type === WARNING_CONDITION) {
        this.#warn(condition);
      } else {
        this.#step(condition);
      }
    }
  }

  #warn({ message, status }: DevWorkspaceCondition): void {
    if (status === 'True' && message) {
      this.#reporter.warn(message);
    }
  }

  #step({ message = '', status, type }: DevWorkspaceCondition): void {
    const title = STEPS.get(type);
    // Unknown: left over from an earlier start, and not yet evaluated for this one.
    if (!title || status === 'Unknown') {
      return;
    }
    const seen = `${status} ${message}`;
    if (this.#told.get(type) === seen) {
      return;
    }
    this.#told.set(type, seen);
    const done = status === 'True';
    this.#reporter.step({
      id: `cluster:${type}`,
      title,
      state: done ? 'done' : 'running',
      message: done ? null : message || null,
    });
    if (message) {
      this.#reporter.log('slipway', message);
    }
  }
}

/**
 * Writes the cluster's events of one workspace and its pods to the log of a start, e.g. that an
 * image cannot be pulled or a volume cannot be mounted.
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

  /** Marks existing events, e.g. of an earlier start, as reported. */
  async skip(workspace: DevWorkspace): Promise<void> {
    await this.#fresh(workspace);
  }

  /** Reports new events. A failure to read events is ignored, because they are only informative. */
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

/**
 * Returns whether an event concerns a workspace. The operator names all objects of a workspace
 * after its id in the cluster.
 */
function concerns(event: ClusterEvent, workspace: DevWorkspace): boolean {
  const { name = '' } = event.involvedObject;
  const id = workspace.status?.devworkspaceId;
  return (
    name === workspace.metadata.name ||
    (id !== undefined && (name === id || name.startsWith(`${id}-`)))
  );
}
