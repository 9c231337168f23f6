import type { PartDefinition } from './PartDefinition.ts';

/** Every part of the platform; a new service joins with one entry here. */
export const parts: readonly PartDefinition[] = [
  {
    name: 'app',
    command: [
      'node',
      '../../node_modules/@backstage/cli/bin/backstage-cli',
      'package',
      'start',
    ],
    cwd: 'packages/app',
    env: { NODE_ENV: 'development', BROWSER: 'none' },
    ports: [3000],
    readyUrl: 'http://localhost:3000',
    addresses: [
      {
        label: 'Portal',
        url: 'http://localhost:3000',
        signIn: 'sign in as ada or grace',
      },
    ],
    noise: [/^<i> /, /Project is running at/, /Loopback:/],
  },
  {
    name: 'backend',
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
    ports: [7007, 7010],
    readyUrl: 'http://localhost:7007/.backstage/health/v1/readiness',
    restartOnChangeOf: '@slipway/backend',
    addresses: [
      {
        label: 'Portal API',
        url: 'http://localhost:7007/api',
        signIn: 'tokens dev-service-token, dev-catalog-token',
      },
      {
        label: 'IDE traffic',
        url: 'http://localhost:7010',
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
    redundant: [/ type="incomingRequest" .*/, /(?<= )\[\d{4}-[^\]]+\] (?=")/],
  },
];
