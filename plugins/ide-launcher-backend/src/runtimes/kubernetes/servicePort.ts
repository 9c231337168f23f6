import { connect } from 'node:net';
import { PortTarget } from '../WorkspaceRuntime';
import { DevWorkspace } from './objects/types';

/** Inside a cluster a service answers or refuses in a few milliseconds. */
const PROBE_TIMEOUT_MS = 500;

/**
 * Where an endpoint of a workspace answers: on the service that the operator
 * makes of the workspace's endpoints, which only those inside the cluster reach.
 *
 * @returns null when nothing listens there, or the portal runs outside.
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
