import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { KubernetesRuntime } from './KubernetesRuntime';
import { readKubernetesRuntimeOptions } from './readKubernetesRuntimeOptions';

/** The Kubernetes runtime as `ideLauncher.kubernetes` of the root configuration describes it. */
export function createKubernetesRuntime(options: {
  config: Config;
  logger: LoggerService;
}): KubernetesRuntime {
  const { config, logger } = options;
  return new KubernetesRuntime(
    readKubernetesRuntimeOptions(config, { logger }),
  );
}
