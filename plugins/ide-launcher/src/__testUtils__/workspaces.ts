import type {
  WorkspaceDetails,
  WorkspaceEndpoint,
  WorkspaceOptions,
} from '@slipway/plugin-ide-launcher-common';

/** Creates a running workspace owned by ada, with overrides. */
export function aWorkspace(
  different: Partial<WorkspaceDetails> = {},
): WorkspaceDetails {
  const { workspaceId = 'workspace-1', name = 'api-gateway-x1y2' } = different;
  return {
    workspaceId,
    name,
    status: 'Running',
    ideUrl: `http://localhost:7010/w/${workspaceId}/`,
    devfile: { name: 'api-gateway', version: '1.2.0' },
    createdAt: '2026-11-20T09:00:00.000Z',
    lastUsed: '2026-11-21T09:00:00.000Z',
    namespace: 'ada-workspaces',
    devfileUrl: 'https://git.example.org/api-gateway/devfile.yaml',
    repositoryUrl: null,
    editor: { id: 'code-server', title: 'VS Code', version: '4.139.1' },
    statusMessage: null,
    failed: false,
    stopsAt: '2026-11-21T10:30:00.000Z',
    deletesAt: null,
    importedFrom: null,
    revision: null,
    starterProject: null,
    runtime: 'local',
    isolation: {
      kind: 'bubblewrap',
      network: 'own',
      limits: { memoryMebibytes: 4096, processes: 1024, openFiles: 65536 },
      gaps: ['Processor time and disk space are shared with other workspaces.'],
    },
    startedAt: '2026-11-21T08:59:00.000Z',
    steps: [],
    warnings: [],
    endpoints: [],
    commands: [],
    ...different,
  };
}

/** Creates an endpoint of `workspace-1` on which nothing listens, with overrides. */
export function anEndpoint(
  different: Partial<WorkspaceEndpoint> = {},
): WorkspaceEndpoint {
  return {
    name: 'web',
    component: 'tools',
    targetPort: 3000,
    protocol: 'http',
    exposure: 'public',
    url: 'http://localhost:7010/w/workspace-1--3000/',
    listening: false,
    ...different,
  };
}

/** Options with room for more workspaces and one sample. */
export function someOptions(
  different: Partial<WorkspaceOptions> = {},
): WorkspaceOptions {
  return {
    samples: [
      {
        title: 'Node.js service',
        description: 'A small HTTP service',
        devfileUrl: 'https://git.example.org/samples/node/devfile.yaml',
      },
    ],
    defaultNamespace: 'ada-workspaces',
    limits: { total: 10, running: 5 },
    usage: { total: 1, running: 1 },
    runtime: {
      kind: 'local',
      editor: {
        state: 'ready',
        editor: { id: 'code-server', title: 'VS Code', version: '4.139.1' },
        progress: null,
        message: null,
      },
      isolation: {
        kind: 'bubblewrap',
        network: 'own',
        limits: { memoryMebibytes: 4096, processes: 1024, openFiles: 65536 },
        gaps: [
          'Processor time and disk space are shared with other workspaces.',
        ],
        acceptance: null,
      },
    },
    idleTimeoutMinutes: 30,
    ...different,
  };
}
