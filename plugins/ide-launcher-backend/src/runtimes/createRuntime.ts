import { LoggerService } from '@backstage/backend-plugin-api';
import { Config } from '@backstage/config';
import { RuntimeKind } from '../config';
import { createKubernetesRuntime } from './kubernetes/KubernetesRuntime';
import { createLocalRuntime } from './local/createLocalRuntime';
import { WorkspaceRuntime } from './WorkspaceRuntime';

/** The runtime that the configuration asks for, as its section describes it. */
export async function createRuntime(
  kind: RuntimeKind,
  options: { config: Config; logger: LoggerService },
): Promise<WorkspaceRuntime> {
  return kind === 'kubernetes'
    ? createKubernetesRuntime(options)
    : createLocalRuntime(options);
}
