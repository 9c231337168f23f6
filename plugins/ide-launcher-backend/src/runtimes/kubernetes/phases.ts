import { connect } from 'node:net';
import { WorkspaceStatus } from '@slipway/plugin-ide-launcher-common';
import { IdeTarget, PortTarget } from '../WorkspaceRuntime';
import { DevWorkspace } from './objects/types';

/** State of a workspace in the cluster, in the portal's terms. */
export interface WorkspaceState {
  status: WorkspaceStatus;
  /** Reason for the failure; null if it did not fail. */
  failure: string | null;
  /**
   * Address of the IDE inside the cluster or on its router; only while it runs, and not for
   * every workspace.
   */
  mainUrl: string | null;
}

/** Phases in which the operator has given up starting. */
const FAILED_PHASES: ReadonlySet<string> = new Set([
  'Failing',
  'Failed',
  'Error',
]);

/** Conditions with the cause of a failure, the most specific first. */
const FAILURE_CONDITIONS = ['FailedStart', 'Error'];

const UNKNOWN_CAUSE = 'The workspace failed, and the cluster does not say why';

/** Converts the phase and conditions of a DevWorkspace to the portal's terms. */
export function readState(workspace: DevWorkspace): WorkspaceState {
  const phase = workspace.status?.phase ?? '';
  const failure = FAILED_PHASES.has(phase) ? readFailure(workspace) : null;
  const state = (status: WorkspaceStatus): WorkspaceState => ({
    status,
    failure,
    mainUrl: status === 'Running' ? workspace.status?.mainUrl || null : null,
  });
  if (workspace.metadata.deletionTimestamp) {
    return state('Stopping');
  }
  switch (phase) {
    case 'Starting':
      return state('Starting');
    case 'Running':
      return state('Running');
    case 'Stopping':
    case 'Terminating':
    case 'Failing':
      return state('Stopping');
    case 'Stopped':
    case 'Failed':
    case 'Error':
      return state('Stopped');
    default:
      // The operator has not processed it yet.
      return state(workspace.spec.started ? 'Starting' : 'Stopped');
  }
}

/** Returns the address at which the gateway reaches the IDE of a running workspace. */
export function ideTargetOf({ mainUrl }: WorkspaceState): IdeTarget {
  return mainUrl ? { kind: 'origin', url: mainUrl } : { kind: 'none' };
}

/** Returns the cause of a failure in one line, e.g. `FailedScheduling: 0/3 nodes are available`. */
function readFailure({ status }: DevWorkspace): string {
  const conditions = status?.conditions ?? [];
  for (const type of FAILURE_CONDITIONS) {
    const found = conditions.find(
      condition => condition.type === type && condition.message,
    );
    if (found?.message) {
      return found.reason && !found.message.includes(found.reason)
        ? `${found.reason}: ${found.message}`
        : found.message;
    }
  }
  const refused = conditions.find(
    ({ message, status: value, type }) =>
      value === 'False' && message && type !== 'Started',
  );
  return refused?.message || status?.message || UNKNOWN_CAUSE;
}

/** Time limit for a connection; inside a cluster, a service accepts or refuses within milliseconds. */
const PROBE_TIMEOUT_MS = 500;

/**
 * Finds the address of a workspace's endpoint: a port of the service that the operator creates
 * for the workspace's endpoints, reachable only inside the cluster.
 *
 * @returns null if nothing is listening there, or the portal runs outside the cluster.
 */
export async function findServicePort(
  { metadata, status }: DevWorkspace,
  port: number,
): Promise<PortTarget | null> {
  if (!status?.devworkspaceId) {
    return null;
  }
  const host = `${status.devworkspaceId}-service.${metadata.namespace}.svc`;
  return (await answers(host, port)) ? { host, port } : null;
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(PROBE_TIMEOUT_MS, () => end(false));
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}
