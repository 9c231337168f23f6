import type { Service } from './organisation';

/** The address of a devfile for Node.js in the public registry. */
const ADDRESS =
  'https://raw.githubusercontent.com/devfile/registry/main/stacks/nodejs/2.2.1/devfile.yaml';

/**
 * Returns the address of the devfile of a service. They all have the same one; the fragment, which is
 * not part of a request, tells them apart, because workspaces belong to components by this address.
 */
export function devfileUrlOf({ name }: Pick<Service, 'name'>): string {
  return `${ADDRESS}#${name}`;
}

const command = (id: string, commandLine: string, kind: string) => ({
  id,
  exec: {
    component: 'runtime',
    commandLine,
    workingDir: '${PROJECT_SOURCE}',
    group: { kind, isDefault: true },
  },
});

/**
 * What a workspace needs of the devfile at that address, so that loading the demo does not depend on
 * the network. There is no project, because those of the demo are invented.
 */
export const DEVFILE = JSON.stringify({
  schemaVersion: '2.2.2',
  metadata: {
    name: 'nodejs',
    version: '2.2.1',
    displayName: 'Node.js Runtime',
  },
  components: [
    {
      name: 'runtime',
      container: {
        image: 'registry.access.redhat.com/ubi8/nodejs-18:1-32',
        args: ['tail', '-f', '/dev/null'],
        memoryLimit: '1024Mi',
        mountSources: true,
        endpoints: [
          { name: 'https-node', targetPort: 3000, protocol: 'https' },
        ],
      },
    },
  ],
  commands: [
    command('install', 'npm install', 'build'),
    command('run', 'npm start', 'run'),
    command('test', 'npm test', 'test'),
  ],
});
