import type {
  StoredEvent,
  StoredObject,
} from '@slipway/cluster-client/testing';
import { FakeApiServer } from './FakeApiServer';

type Condition = { type: string; status: string; message: string };

const CONDITIONS = [
  ['Started', 'DevWorkspace is starting'],
  ['DevWorkspaceResolved', 'Resolved plugins and parents from DevWorkspace'],
  ['StorageReady', 'Storage ready'],
  ['RoutingReady', 'Networking ready'],
  ['ServiceAccountReady', 'DevWorkspace serviceaccount ready'],
  ['DeploymentReady', 'DevWorkspace deployment ready'],
] as const;

/**
 * Fakes the DevWorkspace Operator, as far as it is visible in the status of DevWorkspaces.
 */
export class FakeOperator {
  /** Address of every IDE; undefined: workspaces without one. */
  mainUrl: string | undefined = 'http://ide.cluster.local:3100/';
  /** If set, starts fail with this cause. */
  failure: { reason: string; message: string } | undefined;
  /** If true, starts never leave the phase Starting. */
  stuck = false;
  readonly #server: FakeApiServer;
  readonly #stop: () => void;

  constructor(server: FakeApiServer) {
    this.#server = server;
    this.#stop = server.store.onEvent(event => this.#reconcile(event));
  }

  stop(): void {
    this.#stop();
  }

  #reconcile({ object, plural, type }: StoredEvent): void {
    if (plural !== 'devworkspaces' || type === 'DELETED') {
      return;
    }
    const { name, namespace } = object.metadata;
    const current = this.#server.workspace(name, namespace);
    if (!current || current.metadata.uid !== object.metadata.uid) {
      return;
    }
    const next = this.#next(current);
    if (next) {
      this.#server.update(name, next, namespace);
    }
  }

  /** Returns the next step of a workspace; undefined if there is nothing to do. */
  #next(object: StoredObject): { status?: object; spec?: object } | undefined {
    const started = object.spec?.started === true;
    const {
      conditions = [],
      devworkspaceId,
      phase,
    } = (object.status ?? {}) as {
      conditions?: Condition[];
      devworkspaceId?: string;
      phase?: string;
    };
    if (object.metadata.deletionTimestamp) {
      return undefined;
    }
    if (!devworkspaceId) {
      return {
        status: {
          devworkspaceId: `workspace${object.metadata.uid
            .replaceAll('-', '')
            .slice(0, 16)}`,
        },
      };
    }
    if (!started) {
      return this.#down(phase);
    }
    if (phase === 'Failing') {
      return { spec: { started: false } };
    }
    if (phase !== 'Starting' && phase !== 'Running') {
      return {
        status: {
          phase: 'Starting',
          conditions: [done(CONDITIONS[0])],
          message: 'Initializing DevWorkspace',
        },
      };
    }
    if (phase === 'Starting' && !this.stuck) {
      return conditions.length < CONDITIONS.length
        ? {
            status: {
              conditions: [...conditions, done(CONDITIONS[conditions.length])],
            },
          }
        : this.#outcome(conditions);
    }
    return undefined;
  }

  #down(phase: string | undefined) {
    switch (phase) {
      case 'Stopped':
      case 'Failed':
        return undefined;
      case 'Failing':
        return { status: { phase: 'Failed' } };
      case 'Stopping':
        return { status: { phase: 'Stopped', mainUrl: undefined } };
      case undefined:
        return { status: { phase: 'Stopped' } };
      default:
        return { status: { phase: 'Stopping' } };
    }
  }

  #outcome(conditions: Condition[]) {
    return this.failure
      ? {
          status: {
            phase: 'Failing',
            message: this.failure.message,
            conditions: [
              ...conditions,
              { type: 'FailedStart', status: 'True', ...this.failure },
            ],
          },
        }
      : {
          status: {
            phase: 'Running',
            mainUrl: this.mainUrl,
            message: this.mainUrl,
            conditions: [
              ...conditions,
              { type: 'Ready', status: 'True', message: '' },
            ],
          },
        };
  }
}

function done([type, message]: readonly [string, string]): Condition {
  return { type, status: 'True', message };
}
