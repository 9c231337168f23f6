import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { backendProcess } from '@slipway/dev-runner/src/parts.ts';
import { expect, type Page, test } from '@playwright/test';
import { addresses, stateDirectory } from '../src/addresses.ts';
import { portalEnvironment } from '../src/portalEnvironment.ts';
import { findFreePorts } from '../src/processes/findFreePorts.ts';
import { ServerProcess } from '../src/processes/ServerProcess.ts';
import { openIde, runInTerminal, serveFromTerminal } from './ide.ts';
import { continueAs } from './signIn.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

// Portals with and without isolation of workspaces. They share the forge with the first one.

const SECRET = 'a-secret-of-the-portal';
const MODES = [
  {
    mode: 'required',
    says: /^Sandbox, (own|host's) network/,
    // A sandbox shows only its own processes.
    secretInProc: false,
  },
  {
    mode: 'none',
    says: 'Programs of the workspace run as the user of the portal and can read its files.',
    secretInProc: true,
  },
] as const;

function isMissing(mode: (typeof MODES)[number]['mode']): boolean {
  const missing =
    mode === 'required' &&
    spawnSync('bwrap', ['--version']).error !== undefined;
  if (missing) {
    process.stderr.write(
      'SKIPPED: there is no bubblewrap, workspaces are not tested in a sandbox\n',
    );
  }
  return missing;
}

/** Starts a portal and returns its addresses. */
async function startPortal(directory: string, mode: string) {
  const [api, ide] = await findFreePorts(2);
  const portal = `http://localhost:${api}`;
  const ideOrigin = `http://localhost:${ide}`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const server = new ServerProcess({
    ...backendProcess,
    env: {
      ...portalEnvironment({
        addresses: { ...addresses, portal, api: portal, ide: ideOrigin },
        stateDirectory: directory,
        caFile: `${stateDirectory}/forge/ca.pem`,
        configuration: {
          ideLauncher_local_isolation_mode: mode,
          // Copying the pages to the database takes two seconds.
          app_disableStaticFallbackCache: true,
        },
      }),
      ...backendProcess.env,
      SECRET_OF_THE_PORTAL: SECRET,
    },
  });
  await server.untilReady(`${portal}/.backstage/health/v1/readiness`);
  // Its pages are available shortly after its API.
  await server.untilReady(portal);
  return { server, portal, ideOrigin };
}

async function createWorkspace(page: Page, portal: string): Promise<string> {
  const devfile = encodeURIComponent(`${addresses.forge}/devfile.yaml`);
  await page.goto(`${portal}/workspaces?create=1&devfileUrl=${devfile}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('shop 1.4.0 is valid')).toBeVisible();
  await dialog.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({
    timeout: patient(120_000),
  });
  return new URL(page.url()).pathname.split('/')[2];
}

for (const { mode, says, secretInProc } of MODES) {
  test(`a workspace with isolation ${mode} runs, and shows what applies`, async ({
    page,
  }) => {
    test.skip(isMissing(mode), 'bubblewrap is not installed');
    const directory = `${stateDirectory}/isolation-${mode}`;
    const { server, portal, ideOrigin } = await startPortal(directory, mode);
    try {
      await continueAs(page, 'Ada', portal);
      const id = await createWorkspace(page, portal);
      const project = `${directory}/ide-launcher/workspaces/${id}/projects/shop`;
      const read = (file: string) => readFileSync(`${project}/${file}`, 'utf8');
      await expect(page.getByText(says)).toBeVisible();

      const ide = await openIde(page);
      await test.step('the terminal looks for secrets of the portal', async () => {
        await runInTerminal(
          ide,
          // It cannot read all processes of others: cat reports an error and continues.
          'env > env.txt && { cat /proc/[0-9]*/environ > proc.txt 2>&1; touch looked.txt; }',
          () => existsSync(`${project}/looked.txt`),
        );
        expect(read('env.txt')).toContain('GREETING=hello');
        expect(read('env.txt')).not.toContain(SECRET);
        expect(read('proc.txt')).toContain('GREETING=hello');
        expect(read('proc.txt').includes(SECRET)).toBe(secretInProc);
      });

      await test.step('an endpoint of the devfile is served', async () => {
        await serveFromTerminal(ide, `${ideOrigin}/w/${id}--18888/`);
      });
      await ide.close();

      await page.getByRole('button', { name: /^Stop/ }).click();
      await expect(
        page.getByText('Stopped', { exact: true }).first(),
      ).toBeVisible();
    } finally {
      await server.stop();
    }
  });
}
