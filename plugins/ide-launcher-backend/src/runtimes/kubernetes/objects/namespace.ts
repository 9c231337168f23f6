import { managedLabels, OWNER_ANNOTATION } from './labels';
import { Namespace } from './types';

/** @returns the namespace of one owner's workspaces. */
export function renderNamespace(options: {
  name: string;
  owner: string;
  instance: string;
}): Namespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: options.name,
      labels: managedLabels(options.instance),
      annotations: { [OWNER_ANNOTATION]: options.owner },
    },
  };
}
