import type { KubeConfig } from '@kubernetes/client-node';
import { ServiceUnavailableError } from '@backstage/errors';
import { ClusterConnection } from '../KubernetesRuntimeOptions';

/** The client library; an ES module of some size, loaded by those who use it. */
export type KubernetesClient = typeof import('@kubernetes/client-node');

/** The client library with the cluster that it talks to. */
export interface ConnectedClient {
  client: KubernetesClient;
  config: KubeConfig;
}

/**
 * Loads the client and reads where the cluster is. No request is made.
 *
 * @throws ServiceUnavailableError when there is no usable configuration, saying where it was looked for.
 */
export async function connectCluster(
  connection: ClusterConnection,
): Promise<ConnectedClient> {
  const client = await import('@kubernetes/client-node');
  const config = new client.KubeConfig();
  const source = describeSource(connection);
  try {
    if (connection.kind === 'in-cluster') {
      if (!process.env.KUBERNETES_SERVICE_HOST) {
        throw new Error('KUBERNETES_SERVICE_HOST is not set');
      }
      config.loadFromCluster(connection.root);
    } else if (connection.file) {
      config.loadFromFile(connection.file);
    } else {
      config.loadFromDefault();
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new ServiceUnavailableError(
      `The cluster's address cannot be read from ${source}: ${cause}`,
    );
  }
  if (connection.kind === 'kubeconfig' && connection.context) {
    config.setCurrentContext(connection.context);
  }
  if (!config.getCurrentCluster()?.server) {
    throw new ServiceUnavailableError(
      `${source} names no cluster${
        connection.kind === 'kubeconfig' && connection.context
          ? ` for the context ${connection.context}`
          : ''
      }`,
    );
  }
  return { client, config };
}

function describeSource(connection: ClusterConnection): string {
  if (connection.kind === 'in-cluster') {
    return "the service account of the portal's pod";
  }
  return connection.file ?? 'the default kubeconfig';
}
