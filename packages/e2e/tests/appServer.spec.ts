import { test } from '@playwright/test';
import { appServer } from '@slipway/dev-runner/src/parts.ts';
import { addresses, stateDirectory } from '../src/addresses.ts';
import { portalEnvironment } from '../src/portalEnvironment.ts';
import { ServerProcess } from '../src/processes/ServerProcess.ts';
import { signIn } from './signIn.ts';

// The development server that `yarn dev --hot` runs instead of serving the built pages.

const part = appServer(addresses.appServer);
let server: ServerProcess;

test.use({ baseURL: addresses.appServer });

test.beforeAll(async () => {
  server = new ServerProcess({
    ...part,
    env: {
      ...portalEnvironment({
        addresses: { ...addresses, portal: addresses.appServer },
        stateDirectory,
        caFile: `${stateDirectory}/forge/ca.pem`,
      }),
      ...part.env,
    },
  });
  await server.untilReady(addresses.appServer);
});

test.afterAll(() => server.stop());

test('the development server of the app signs in', async ({ page }) => {
  await signIn(page, 'Ada');
});
