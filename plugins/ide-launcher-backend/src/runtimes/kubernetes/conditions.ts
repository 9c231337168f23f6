import { StartReporter } from '../WorkspaceRuntime';
import { DevWorkspace, DevWorkspaceCondition } from './objects/types';

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
