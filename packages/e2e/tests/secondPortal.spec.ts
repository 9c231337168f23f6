import { mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { expect, type Page, test } from '@playwright/test';
import { addresses, stateDirectory } from '../src/addresses.ts';
import { portalEnvironment } from '../src/portalEnvironment.ts';
import { findFreePorts } from '../src/processes/findFreePorts.ts';
import { ServerProcess } from '../src/processes/ServerProcess.ts';
import { startOidcProvider } from '../src/startOidcProvider.ts';
import { openIde, readEnvironments, serveFromTerminal } from './ide.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

// A second portal, with sign-in through an OpenID Connect provider and without isolation of
// workspaces: a portal for each would take 8 s more of processor time. It shares the forge
// with the first one.

const SECRET = 'a-secret-of-the-portal';

const directory = `${stateDirectory}/second`;

let portal: ServerProcess;
let provider: Server;
let portalUrl: string;
let ideUrl: string;

test.beforeAll(async () => {
  const [api, ide, issuerPort] = await findFreePorts(3);
  portalUrl = `http://localhost:${api}`;
  ideUrl = `http://localhost:${ide}`;
  const issuer = `http://localhost:${issuerPort}`;
  const client = {
    clientId: 'slipway',
    clientSecret: 'a-secret-of-this-test',
    redirectUri: `${portalUrl}/api/auth/oidc/handler/frame`,
  };
  provider = await startOidcProvider({ issuer, client });

  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  portal = new ServerProcess({
    ...backendProcess,
    env: {
      ...portalEnvironment({
        addresses: {
          ...addresses,
          portal: portalUrl,
          api: portalUrl,
          ide: ideUrl,
        },
        stateDirectory: directory,
        caFile: `${stateDirectory}/forge/ca.pem`,
        configuration: {
          // Copying the pages to the database takes two seconds.
          app_disableStaticFallbackCache: true,
          ideLauncher_local_isolation_mode: 'none',
          app_signIn_method: 'oidc',
          app_signIn_title: 'Example ID',
          auth_session_secret: 'another-secret-of-this-test',
          auth_providers: {
            oidc: {
              development: {
                metadataUrl: `${issuer}/.well-known/openid-configuration`,
                clientId: client.clientId,
                clientSecret: client.clientSecret,
                prompt: 'auto',
                additionalScopes: ['offline_access'],
                signIn: {
                  resolvers: [
                    { resolver: 'emailMatchingUserEntityProfileEmail' },
                  ],
                },
              },
            },
          },
        },
      }),
      ...backendProcess.env,
      SECRET_OF_THE_PORTAL: SECRET,
    },
  });
  await portal.untilReady(`${portalUrl}/.backstage/health/v1/readiness`);
});

test.afterAll(async () => {
  await portal?.stop();
  provider?.closeAllConnections();
  provider?.close();
});

/** Signs in at the provider, in the window that the portal opens for it. */
async function signInAs(page: Page, name: string): Promise<void> {
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Continue with Example ID' }).click();
  const window = await opened;
  await window.getByPlaceholder('Enter any login').fill(name);
  await window.getByPlaceholder('and password').fill('anything');
  await window.getByRole('button', { name: 'Sign-in' }).click();
  await window.getByRole('button', { name: 'Continue' }).click();
}

/** Opens the portal and signs in as a user of the catalog. */
async function signInAsAda(page: Page): Promise<void> {
  // The catalog reads its first users some time after the start.
  await expect(async () => {
    await page.goto(portalUrl);
    await signInAs(page, 'ada');
    await expect(page.getByText('My workspaces')).toBeVisible({
      timeout: patient(15_000),
    });
  }).toPass({ timeout: patient(120_000) });
}

test('people sign in at an OpenID Connect provider', async ({ page }) => {
  await signInAsAda(page);
  await expect(page.getByText('Ada').first()).toBeVisible();

  // In another tab, or the next day, the session continues without signing in again.
  await page.reload();
  await expect(page.getByText('My workspaces')).toBeVisible();
});

test('an account without a user in the catalog is rejected, with a reason', async ({
  page,
}) => {
  await page.goto(portalUrl);
  await signInAs(page, 'stranger');
  await expect(page.getByText('Sign-in failed')).toBeVisible();
  await expect(
    page.getByRole('button', { name: 'Continue with Example ID' }),
  ).toBeEnabled();
});

test('a workspace without isolation runs, and its page says so', async ({
  page,
}) => {
  await signInAsAda(page);
  const devfile = encodeURIComponent(`${addresses.forge}/devfile.yaml`);
  await page.goto(`${portalUrl}/workspaces?create=1&devfileUrl=${devfile}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('shop 1.4.0 is valid')).toBeVisible();
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({
    timeout: patient(120_000),
  });
  await expect(
    page.getByText(
      'Programs of the workspace run as the user of the portal and can read its files.',
    ),
  ).toBeVisible();

  const id = new URL(page.url()).pathname.split('/')[2];
  const ide = await openIde(page);
  await test.step('the terminal looks for secrets of the portal', async () => {
    const found = await readEnvironments(
      ide,
      `${directory}/ide-launcher/workspaces/${id}/projects/shop`,
    );
    expect(found.own).toContain('GREETING=hello');
    expect(found.own).not.toContain(SECRET);
    expect(found.all).toContain('GREETING=hello');
    expect(found.all).toContain(SECRET);
  });

  await test.step('an endpoint of the devfile is served', async () => {
    await serveFromTerminal(ide, `${ideUrl}/w/${id}--18888/`);
  });
  await ide.close();

  await page.getByRole('button', { name: /^Stop/ }).click();
  await expect(
    page.getByText('Stopped', { exact: true }).first(),
  ).toBeVisible();
});
