import { Devfile, DevfileEndpoint } from '../devfile/types';
import { Workspace } from '../workspaces/Workspace';
import { makeDevfile } from './devfile';

/** Creates a devfile with one container and these endpoints. */
export function aDevfile(endpoints: Partial<DevfileEndpoint>[] = []): Devfile {
  return makeDevfile({
    metadata: {
      name: 'shop',
      version: '1.0.0',
      displayName: null,
      description: null,
    },
    container: {
      endpoints: endpoints.map((endpoint, index) => ({
        name: `endpoint-${index}`,
        targetPort: 8080,
        exposure: 'public',
        protocol: 'http',
        path: null,
        secure: false,
        ...endpoint,
      })),
    },
  });
}

let count = 0;

/** Creates a stopped workspace owned by ada, with a unique id and name. */
export function aWorkspace(change: Partial<Workspace> = {}): Workspace {
  count += 1;
  const number = String(count).padStart(4, '0');
  return {
    id: `workspace-${number}`,
    owner: 'user:default/ada',
    namespace: 'ada-workspaces',
    name: `shop-${number}`,
    status: 'Stopped',
    failed: false,
    statusMessage: null,
    devfileUrl: 'https://example.org/devfile.yaml',
    repositoryUrl: null,
    devfileName: 'shop',
    devfileVersion: '1.0.0',
    devfile: aDevfile(),
    revision: null,
    starterProject: null,
    editor: null,
    steps: [],
    warnings: [],
    startWarnings: [],
    createdAt: `2026-01-01T00:00:00.${number.slice(1)}Z`,
    startedAt: null,
    lastUsedAt: '2026-01-01T00:00:00.000Z',
    extendedUntil: null,
    unusedNoticeAt: null,
    importedFrom: null,
    keptUntil: null,
    ...change,
  };
}
