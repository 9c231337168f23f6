import { StartReporter } from '../WorkspaceRuntime';
import { ClusterApi } from './api/ClusterApi';
import {
  DevWorkspace,
  DevWorkspaceCondition,
  ClusterEvent,
} from './objects/types';

/** The operator's conditions in the order in which it fulfils them, and what they mean to people. */
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

/** Tells a start's reporter what the operator says of it: conditions become steps, their messages log lines. */
export class ConditionReporter {
  readonly #reporter: StartReporter;
  readonly #told = new Map<string, string>();

  constructor(reporter: StartReporter) {
    this.#reporter = reporter;
  }

  /** Reports what is new. */
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
    // Unknown: left over from an earlier start, and not looked at in this one.
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
