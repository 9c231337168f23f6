import {
  type ConnectionResponse,
  DELIVERY_SERVICE_ANNOTATION,
} from '@slipway/plugin-delivery-lake-common';

/** Characters that entity names may contain, next to letters and digits. */
const NOT_IN_NAMES = /[^a-z0-9._-]/g;

/**
 * Returns the URL of GitHub's editor with a new `catalog-info.yaml` for a connected repository,
 * from which GitHub opens a pull request. Returns undefined for other forges, whose editors accept
 * no text or whose URL the lake does not know.
 */
export function newDescriptorUrl({
  forge,
  repository,
  createdBy,
}: Pick<ConnectionResponse, 'forge' | 'repository' | 'createdBy'>):
  string | undefined {
  if (forge !== 'github') {
    return undefined;
  }
  const name = repository.slice(repository.lastIndexOf('/') + 1);
  const descriptor = [
    'apiVersion: backstage.io/v1alpha1',
    'kind: Component',
    'metadata:',
    `  name: ${name.toLowerCase().replace(NOT_IN_NAMES, '-')}`,
    '  annotations:',
    `    ${DELIVERY_SERVICE_ANNOTATION}: ${JSON.stringify(repository)}`,
    'spec:',
    '  type: service',
    '  lifecycle: production',
    `  owner: ${JSON.stringify(createdBy)}`,
    '',
  ].join('\n');
  const path = repository.split('/').map(encodeURIComponent).join('/');
  const query = new URLSearchParams({
    filename: 'catalog-info.yaml',
    value: descriptor,
  });
  return `https://github.com/${path}/new/HEAD?${query}`;
}
