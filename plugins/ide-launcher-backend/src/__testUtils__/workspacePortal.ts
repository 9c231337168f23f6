import {
  BackendFeature,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { workspaceRuntimeExtensionPoint } from '../runtimes/WorkspaceRuntime';
import { eventually } from './eventually';
import { FakeRuntime } from './FakeRuntime';
import { ADA, startPortal } from './startPortal';

export const DEVFILE_URL = 'https://forge.example.org/shop/devfile.yaml';
const DEVFILE = `
schemaVersion: 2.2.2
metadata:
  name: shop
  version: 1.4.0
components:
  - name: tools
    container:
      image: example.org/tools:1
      endpoints:
        - name: web
          targetPort: 8080
`;
const FILES: Record<string, string> = {
  [DEVFILE_URL]: DEVFILE,
  'https://forge.example.org/nameless.yaml': 'schemaVersion: 2.2.2\n',
  'https://forge.example.org/wrong.yaml':
    'schemaVersion: 2.2.2\ncomponents:\n  - name: Not_A_Label\n    container: {image: x}\n',
  'https://forge.example.org/broken.yaml': 'schemaVersion: "2.2.2\n',
  'https://forge.example.org/starters.yaml': `${DEVFILE}
starterProjects:
  - name: hello
    description: Says hello
    subDir: app
    zip: { location: https://forge.example.org/hello.zip }
`,
  'https://forge.example.org/git.yaml': `${DEVFILE}
projects:
  - name: shop
    git: { remotes: { origin: https://forge.example.org/shop.git } }
`,
  'https://forge.example.org/climbing-name.yaml': `${DEVFILE}
projects:
  - name: ../../../home
    zip: { location: https://forge.example.org/shop.zip }
`,
  'https://forge.example.org/climbing-folder.yaml': `${DEVFILE}
projects:
  - name: shop
    clonePath: ../../home
    zip: { location: https://forge.example.org/shop.zip }
`,
  'https://forge.example.org/climbing-endpoint.yaml': `${DEVFILE}
          path: /%2e%2e/workspace-other/
`,
};

/** Starts a portal with an in-memory runtime and the devfiles above. */
export async function startWorkspacePortal(
  options: {
    limits?: object;
    features?: BackendFeature[];
    acceptUnisolated?: boolean;
    hosts?: string[];
    defaultUrl?: string;
  } = {},
) {
  const runtime = new FakeRuntime();
  const runtimeModule = createBackendModule({
    pluginId: 'ide-launcher',
    moduleId: 'fake-runtime',
    register(env) {
      env.registerInit({
        deps: { point: workspaceRuntimeExtensionPoint },
        async init({ point }) {
          point.setRuntime(runtime);
        },
      });
    },
  });
  const files = { ...FILES };
  const { call, server, stop } = await startPortal({
    files,
    hosts: options.hosts,
    ideLauncher: {
      gateway: { listen: { port: 0 } },
      limits: options.limits,
      // The in-memory runtime has no isolation.
      acceptUnisolated: options.acceptUnisolated ?? true,
      devfile: {
        defaultUrl: options.defaultUrl,
        samples: [
          { title: 'Shop', description: 'A shop', devfileUrl: DEVFILE_URL },
        ],
      },
    },
    features: [runtimeModule, ...(options.features ?? [])],
  });
  const create = (body: object = {}, authorization = ADA) =>
    call('post', '/workspaces', authorization).send({
      devfileUrl: DEVFILE_URL,
      ...body,
    });
  const untilStatus = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('get', `/workspaces/${id}`);
      expect(body.status).toBe(status);
      return body;
    });
  return { runtime, server, call, stop, create, files, untilStatus };
}
