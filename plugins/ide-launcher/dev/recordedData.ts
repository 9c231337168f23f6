import type {
  DevfilePreview,
  WorkspaceDetails,
  WorkspaceLogLine,
} from '@slipway/plugin-ide-launcher-common';
import { aWorkspace } from '../src/__testUtils__/workspaces';

function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

/** Returns one workspace per state. */
export function recordedWorkspaces(): WorkspaceDetails[] {
  return [
    aWorkspace({
      workspaceId: 'workspace-1',
      name: 'api-gateway-x1y2',
      lastUsed: minutesFromNow(-2),
      startedAt: minutesFromNow(-40),
      stopsAt: minutesFromNow(28),
      steps: [
        {
          id: 'editor',
          title: 'Prepare the editor',
          state: 'done',
          progress: 1,
          message: null,
          startedAt: minutesFromNow(-40),
          endedAt: minutesFromNow(-39.9),
        },
        {
          id: 'projects',
          title: 'Clone api-gateway',
          state: 'warning',
          progress: null,
          message: 'The branch next does not exist; main was taken',
          startedAt: minutesFromNow(-39.9),
          endedAt: minutesFromNow(-39.6),
        },
        {
          id: 'ide',
          title: 'Start VS Code',
          state: 'done',
          progress: null,
          message: null,
          startedAt: minutesFromNow(-39.6),
          endedAt: minutesFromNow(-39.58),
        },
      ],
      endpoints: [
        {
          name: 'web',
          component: 'tools',
          targetPort: 3000,
          protocol: 'http',
          exposure: 'public',
          url: 'http://localhost:7010/w/workspace-1--3000/',
          listening: true,
        },
        {
          name: 'debug',
          component: 'tools',
          targetPort: 9229,
          protocol: 'tcp',
          exposure: 'none',
          url: null,
          listening: false,
        },
      ],
      commands: [
        {
          id: 'install',
          label: 'Install dependencies',
          kind: 'exec',
          group: 'build',
          commandLine: 'npm ci --no-audit --no-fund',
        },
        {
          id: 'all',
          label: 'Everything',
          kind: 'composite',
          group: null,
          commandLine: null,
        },
      ],
      warnings: [
        'The image of the component tools is not run; commands use this machine',
        'The volume cache is not mounted',
      ],
    }),
    aWorkspace({
      workspaceId: 'workspace-2',
      name: 'payments-k3p9',
      status: 'Starting',
      devfile: { name: 'payments', version: null },
      lastUsed: minutesFromNow(-0.2),
      stopsAt: null,
      steps: [
        {
          id: 'editor',
          title: 'Prepare the editor',
          state: 'running',
          progress: 0.42,
          message: 'Unpacking VS Code, 42%',
          startedAt: minutesFromNow(-0.2),
          endedAt: null,
        },
        {
          id: 'ide',
          title: 'Start VS Code',
          state: 'pending',
          progress: null,
          message: null,
          startedAt: null,
          endedAt: null,
        },
      ],
    }),
    aWorkspace({
      workspaceId: 'workspace-3',
      name: 'a-workspace-with-a-name-as-long-as-names-may-get-in-kubernetes',
      status: 'Stopped',
      failed: true,
      statusMessage: 'Cloning https://git.example.org/shop.git took over 120 s',
      lastUsed: minutesFromNow(-60 * 26),
      stopsAt: null,
    }),
    aWorkspace({
      workspaceId: 'workspace-4',
      name: 'docs-q7w8',
      status: 'Stopped',
      statusMessage: 'Stopped after 30 minutes without use',
      lastUsed: minutesFromNow(-60 * 24 * 9),
      stopsAt: null,
    }),
  ];
}

/** Returns a short log. */
export function recordedLog(): WorkspaceLogLine[] {
  return [
    'Preparing the editor',
    'Cloning https://git.example.org/api-gateway.git',
    "warning: Could not find remote branch next to clone; took 'main'",
    'VS Code answers on its socket after 640 ms',
  ].map((text, index) => ({
    seq: index + 1,
    at: minutesFromNow(-40 + index / 10),
    source: index === 1 || index === 2 ? 'project' : 'slipway',
    text,
  }));
}

/** Returns valid devfiles and one with errors. */
export function recordedPreviews(): Record<string, Partial<DevfilePreview>> {
  return {
    'https://git.example.org/broken/devfile.yaml': {
      valid: false,
      devfile: null,
      issues: [
        {
          path: 'components[0].name',
          message:
            'must be lowercase letters, digits and hyphens, beginning and ending with a letter or digit',
        },
        { path: 'commands[2].exec.component', message: 'names no component' },
      ],
    },
    'https://git.example.org/samples/node/devfile.yaml': {
      warnings: ['The volume cache is not mounted'],
      devfile: {
        name: 'node',
        version: '2.1.0',
        schemaVersion: '2.2.2',
        description: 'Node.js with a package registry',
        projects: [],
        starterProjects: [
          { name: 'http-server', description: 'Answers with a greeting' },
          { name: 'empty', description: null },
        ],
        components: [
          { name: 'tools', type: 'container', detail: 'example.org/node:24' },
        ],
        commands: [],
        endpoints: [{ name: 'web', targetPort: 3000, exposure: 'public' }],
      },
    },
  };
}
