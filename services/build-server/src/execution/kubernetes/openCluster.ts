import type { BuildServerConfig } from '../../config.ts';
import { BuildCluster } from './BuildCluster.ts';
import { KubernetesExecutor } from './KubernetesExecutor.ts';

const REQUEST_TIMEOUT_MS = 15_000;
const REQUEST_ATTEMPTS = 4;
const DAY_S = 24 * 3_600;

/** Creates the executor for the cluster of the configuration. Makes no request. */
export function openCluster(
  config: NonNullable<BuildServerConfig['kubernetes']>,
  options: { directory: string; killAfterMs: number; maxBytes: number },
): KubernetesExecutor {
  const { connection, kubeconfig, namespace, startSeconds, image, storage } =
    config;
  return new KubernetesExecutor({
    ...options,
    image,
    cluster: new BuildCluster({
      namespace,
      connection: { kind: connection, ...kubeconfig },
      account: 'the build server',
      limits: {
        requestTimeoutMs: REQUEST_TIMEOUT_MS,
        requestAttempts: REQUEST_ATTEMPTS,
      },
    }),
    settings: { ...config, storage },
    startMs: startSeconds * 1_000,
    maxSeconds: DAY_S,
  });
}
