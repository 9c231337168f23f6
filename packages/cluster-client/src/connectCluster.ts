import { ServiceUnavailableError } from '@backstage/errors';
import type { KubeConfig } from '@kubernetes/client-node';

/** Configuration of the connection to the cluster. */
export type ClusterConnection =
  /** Uses the service account of the program's own pod. */
  | {
      kind: 'in-cluster';
      /** Folder that contains the pod's `/var/run/secrets`; undefined: the root. */
      root?: string;
    }
  | {
      kind: 'kubeconfig';
      /** Path; undefined: KUBECONFIG or `~/.kube/config`. */
      file?: string;
      /** Undefined: the file's current context. */
      context?: string;
    };

/** The client library; a large ES module, loaded on demand. */
type KubernetesClient = typeof import('@kubernetes/client-node');

/** The client library with the cluster it is configured for. */
export interface ConnectedClient {
  client: KubernetesClient;
  config: KubeConfig;
}

/**
 * Loads the client and its cluster configuration. Makes no request.
 *
 * @throws ServiceUnavailableError if there is no usable configuration, naming where it was
 * looked for.
 */
export async function connectCluster(
  connection: ClusterConnection,
  account: string,
): Promise<ConnectedClient> {
  const client = await import('@kubernetes/client-node');
  const config = new client.KubeConfig();
  const source = describeSource(connection, account);
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

function describeSource(
  connection: ClusterConnection,
  account: string,
): string {
  if (connection.kind === 'in-cluster') {
    return `the service account of ${account}'s pod`;
  }
  return connection.file ?? 'the default kubeconfig';
}
