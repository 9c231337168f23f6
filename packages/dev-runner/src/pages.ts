import type { PartDefinition } from './PartDefinition.ts';
import { portOf, type PlatformAddresses } from './readAddresses.ts';

/** Builds the portal's pages, which the back end serves, where their sources have changed. */
export const appBuild = {
  name: 'app',
  command: ['node', 'src/portal/buildApp.ts'],
  cwd: 'packages/dev-runner',
  ports: [],
  tellOnChangeOf: '@slipway/app',
  addresses: [],
} satisfies PartDefinition;

/** The portal's own address, in front of the back end. */
export function frontDoor({
  portal,
  apiPort,
}: Pick<PlatformAddresses, 'portal' | 'apiPort'>): PartDefinition {
  const port = portOf(new URL(portal));
  return {
    name: 'portal',
    command: [
      'node',
      'src/portal/main.ts',
      String(port),
      `http://127.0.0.1:${apiPort}`,
    ],
    cwd: 'packages/dev-runner',
    ports: [port],
    readyUrl: portal,
    addresses: [portalRow(portal)],
  };
}

/** The app's development server: hot reload, for ten times the memory. */
export function appServer(portal: string): PartDefinition {
  return {
    name: 'app',
    command: [
      'node',
      '../../node_modules/@backstage/cli/bin/backstage-cli',
      'package',
      'start',
    ],
    cwd: 'packages/app',
    env: { NODE_ENV: 'development', BROWSER: 'none' },
    ports: [portOf(new URL(portal))],
    readyUrl: portal,
    addresses: [portalRow(portal)],
    noise: [/^<i> /, /Project is running at/, /Loopback:/],
  };
}

function portalRow(portal: string) {
  return { label: 'Portal', url: portal, signIn: 'sign in as ada or grace' };
}
