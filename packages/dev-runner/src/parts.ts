import { withSmallHeap } from './withSmallHeap.ts';
import { appBuild, appServer, frontDoor } from './pages.ts';
import type { PartDefinition } from './PartDefinition.ts';
import { portOf, type PlatformAddresses } from './readAddresses.ts';

/** The process of the portal's back end. */
export const backendProcess = {
  // What `backstage-cli package start` runs, without the command in between:
  // that one stays up, silent, when the back end under it has crashed.
  command: [
    'node',
    '--enable-source-maps',
    '--require',
    '@backstage/cli/config/nodeTransform.cjs',
    'src/index',
  ],
  cwd: 'packages/backend',
  env: { NODE_ENV: 'development' },
} satisfies Pick<PartDefinition, 'command' | 'cwd' | 'env'>;

/** How the portal's pages are made. */
export interface PagesOptions {
  /** True to serve them by the app's development server, which shows changes at once. */
  hot?: boolean;
}

/** Describes every part of the platform: the portal, and each service of `services`. */
export function describeParts(
  addresses: PlatformAddresses,
  { hot = false }: PagesOptions = {},
): readonly PartDefinition[] {
  const { api, ide, apiPort, idePort } = addresses;
  return [
    ...(hot ? [appServer(addresses.portal)] : [appBuild, frontDoor(addresses)]),
    {
      name: 'backend',
      ...backendProcess,
      command: withSmallHeap(backendProcess.command),
      ports: [apiPort, idePort],
      readyUrl: `${api}/.backstage/health/v1/readiness`,
      restartOnChangeOf: '@slipway/backend',
      // It serves the pages that it finds when it starts.
      ...(!hot && { startsAfter: appBuild.name }),
      addresses: [
        {
          label: 'Portal API',
          url: `${api}/api`,
          signIn: 'tokens dev-service-token, dev-catalog-token',
        },
        {
          label: 'IDE traffic',
          url: ide,
          signIn: 'opened from a workspace',
        },
      ],
      // Asked all the time by the runner and by the plugins among themselves.
      noise: [
        /"GET \/\.backstage\/health\//,
        /"GET \/api\/[^/]+\/\.backstage\/auth\//,
        /"\w+ \/api\/events\/bus\//,
      ],
      // The time is on every line already, and the request in its own text.
      redundant: [
        / type="incomingRequest" .*/,
        /(?<= )\[\d{4}-[^\][]+\] (?=")/,
      ],
    },
    ...addresses.services.map(servicePart),
  ];
}

/** A companion service: Node runs its sources, and `/ready` tells when it can be used. */
function servicePart({
  name,
  title,
  signIn,
  url,
}: PlatformAddresses['services'][number]): PartDefinition {
  return {
    name,
    command: withSmallHeap(['node', 'src/main.ts']),
    cwd: `services/${name}`,
    env: { NODE_ENV: 'development' },
    ports: [portOf(new URL(url))],
    readyUrl: `${url}/ready`,
    restartOnChangeOf: `@slipway/${name}`,
    addresses: [{ label: title, url, signIn }],
    // The time is on every line already.
    redundant: [/^\d{4}-\d{2}-\d{2}T\S+Z /],
  };
}
