import { describeService } from './describeService.ts';
import { withSmallHeap } from './withSmallHeap.ts';
import { appBuild, appServer, frontDoor } from './pages.ts';
import type { PartDefinition } from './PartDefinition.ts';
import type { PlatformAddresses } from './readAddresses.ts';

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
  /** By the app's development server, which shows a change of its sources at once. */
  hot?: boolean;
}

/** Every part of the platform; a new service joins with one entry here. */
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
    describeService({
      name: 'space-metrics',
      title: 'SPACE metrics',
      url: addresses.spaceMetrics,
      signIn: 'X-API-Key dev-space-key',
    }),
    describeService({
      name: 'build-server',
      title: 'Build server',
      url: addresses.buildServer,
      signIn: 'Basic dev:dev-api-token, viewer:dev-viewer-token',
    }),
    describeService({
      name: 'feature-flags',
      title: 'Feature flags',
      url: addresses.featureFlags,
      signIn: 'tokens *:development.dev-client-token, *:*.dev-admin-token',
    }),
    describeService({
      name: 'analytics',
      title: 'Analytics',
      url: addresses.analytics,
      signIn: 'project key phc_dev_project_key; bearer phx_dev_api_token',
    }),
    describeService({
      name: 'feedback',
      title: 'Feedback',
      url: addresses.feedback,
      signIn: 'portal session; X-API-Key dev-automation-key',
    }),
    describeService({
      name: 'design-site',
      title: 'Design system',
      url: addresses.designSite,
      signIn: 'open to all',
    }),
  ];
}
