import { managedLabels } from './labels';
import { NetworkPolicy } from './types';

/** Label that every cluster gives to every namespace. */
const NAMESPACE_NAME_LABEL = 'kubernetes.io/metadata.name';

/**
 * Keeps the pods of an owner's namespace to themselves: IDEs ask nobody who they
 * are, so only the gateway may come in, and the operator to see whether they answer.
 *
 * @param options.reachableFrom - Names of the namespaces that may.
 */
export function renderNetworkPolicy(options: {
  namespace: string;
  instance: string;
  reachableFrom: string[];
}): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: 'slipway-workspaces',
      namespace: options.namespace,
      labels: managedLabels(options.instance),
    },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            { podSelector: {} },
            ...options.reachableFrom.map(name => ({
              namespaceSelector: {
                matchLabels: { [NAMESPACE_NAME_LABEL]: name },
              },
            })),
          ],
        },
      ],
    },
  };
}
