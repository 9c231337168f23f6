import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { addresses, CHECKS_TOKEN, stateDirectory } from '../src/addresses.ts';
import {
  openIde,
  readEnvironments,
  runInTerminal,
  serveFromTerminal,
} from './ide.ts';
import { continueAs, signIn } from './signIn.ts';
import { test } from './test.ts';
import { patient } from '@slipway/dev-runner/src/patience.ts';

const DEVFILE = `${addresses.forge}/devfile.yaml`;
const WORKSPACES = `${addresses.api}/api/ide-launcher/workspaces`;
const headers = { authorization: 'Bearer dev-service-token' };

/** Returns the path of a file in a workspace's project on the machine. */
function fileOf(workspaceUrl: string, file: string): string {
  const id = /workspace-[0-9a-f-]+/.exec(workspaceUrl)?.[0];
  return `${stateDirectory}/ide-launcher/workspaces/${id}/projects/shop/${file}`;
}

/** Returns whether workspaces should run in a sandbox here. */
function canIsolate(): boolean {
  const missing = spawnSync('bwrap', ['--version']).error !== undefined;
  if (missing) {
    process.stderr.write(
      'SKIPPED: there is no bubblewrap, workspaces are not tested in a sandbox\n',
    );
  }
  return !missing;
}

// A first attempt that failed leaves its workspace.
test.beforeEach(async ({ request }, { retry }) => {
  if (retry > 0) {
    const { workspaces } = await (
      await request.get(WORKSPACES, { headers })
    ).json();
    for (const { workspaceId } of workspaces) {
      await request.delete(`${WORKSPACES}/${workspaceId}`, { headers });
    }
  }
});

test('a developer opens a real IDE workspace from a devfile', async ({
  page,
}) => {
  await signIn(page, 'Ada');
  await page
    .getByRole('navigation')
    .getByRole('link', { name: 'Workspaces' })
    .click();
  await expect(page.getByText('No workspaces yet')).toBeVisible();

  await test.step('paste the address of a devfile and see it validated', async () => {
    await page
      .getByRole('button', { name: 'Create workspace' })
      .or(page.getByRole('link', { name: 'Create workspace' }))
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByLabel('Devfile address');
    await address.fill(`${addresses.forge}/wrong.yaml`);
    await expect(dialog.getByText('components[0].name')).toBeVisible();
    await address.fill(DEVFILE);
    await expect(dialog.getByText('shop 1.4.0 is valid')).toBeVisible();
    await expect(
      dialog.getByText(/example\.org\/tools:1/).first(),
    ).toBeVisible();
    await dialog.getByLabel('Name', { exact: true }).fill('my-shop');
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
  });

  await test.step('watch the steps', async () => {
    await expect(page.getByRole('heading', { name: 'my-shop' })).toBeVisible();
    await expect(page.getByText('Start editor').first()).toBeVisible();
    await expect(
      page.getByText('Running', { exact: true }).first(),
    ).toBeVisible({
      timeout: patient(120_000),
    });
  });

  const workspaceUrl = page.url();
  const isIsolated = canIsolate();
  if (isIsolated) {
    await expect(
      page.getByText(/^Sandbox, (own|host's) network/),
    ).toBeVisible();
  }

  await test.step('open the IDE, edit a file, run a command', async () => {
    const ide = await openIde(page);
    expect(new URL(ide.url()).origin).toBe(addresses.ide);
    expect(ide.url()).not.toContain('ticket');

    await ide.getByRole('treeitem', { name: 'README.md' }).dblclick();
    await expect(ide.locator('.view-lines')).toContainText('Sells things');
    await ide.locator('.view-lines').first().click();
    await ide.keyboard.press('Control+End');
    await ide.keyboard.type('Edited in the browser.');
    await ide.keyboard.press('Control+S');
    await expect
      .poll(() => readFileSync(fileOf(workspaceUrl, 'README.md'), 'utf8'))
      .toContain('Edited in the browser.');

    // The shell creates the file before writing to it.
    const said = () => {
      const file = fileOf(workspaceUrl, 'said.txt');
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    await runInTerminal(
      ide,
      'echo "$GREETING from $PWD" > said.txt',
      () => said() !== '',
    );
    expect(said()).toMatch(/^hello from .*\/projects\/shop\n$/);

    await test.step('a sandbox shows only its own processes, without the secrets of the portal', async () => {
      const found = await readEnvironments(
        ide,
        path.dirname(fileOf(workspaceUrl, 'README.md')),
      );
      expect(found.own).toContain('GREETING=hello');
      expect(found.own).not.toContain(CHECKS_TOKEN);
      expect(found.all).toContain('GREETING=hello');
      expect(found.all.includes(CHECKS_TOKEN)).toBe(!isIsolated);
    });

    await test.step('serve an endpoint of the devfile', async () => {
      const endpoint = workspaceUrl
        .replace(`${addresses.portal}/workspaces/`, `${addresses.ide}/w/`)
        .replace(/\/?$/, '--18888/');
      await serveFromTerminal(ide, endpoint);
    });
    await ide.close();
  });

  await test.step('return, stop, start: the file is still there', async () => {
    await page.getByRole('button', { name: /^Stop/ }).click();
    await expect(
      page.getByText('Stopped', { exact: true }).first(),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(
      page.getByText('Running', { exact: true }).first(),
    ).toBeVisible({
      timeout: patient(60_000),
    });
    const ide = await openIde(page);
    await ide.getByRole('treeitem', { name: 'README.md' }).dblclick();
    await expect(ide.locator('.view-lines')).toContainText(
      'Edited in the browser.',
    );
    await ide.close();
  });

  await test.step('delete', async () => {
    await page
      .getByRole('button', { name: 'Actions for my-shop' })
      .or(page.getByRole('button', { name: /^Delete/ }))
      .first()
      .click();
    const item = page.getByRole('menuitem', { name: 'Delete' });
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await expect(item.or(dialog).first()).toBeVisible();
    if (await item.isVisible()) {
      await item.click();
    }
    await expect(dialog).toContainText('my-shop');
    await dialog.getByRole('button', { name: 'Delete workspace' }).click();
    await expect(page).toHaveURL(/\/workspaces\/?(\?.*)?$/);
    await expect(page.getByText('No workspaces yet')).toBeVisible();
    expect(existsSync(fileOf(workspaceUrl, 'README.md'))).toBe(false);
  });
});

test('a link to a repository leads to a workspace with its files', async ({
  page,
}) => {
  const repository = `${addresses.forge}/shop.git`;
  await continueAs(page, 'Ada');
  await page.goto(`/workspaces?repository=${repository}`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Repository shop')).toBeVisible();
  await expect(
    dialog.getByText('The repository has no devfile: uses the default.'),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Create workspace' }).click();

  await expect(page.getByRole('heading', { name: /^shop-/ })).toBeVisible();
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible({
    timeout: patient(60_000),
  });
  expect(readFileSync(fileOf(page.url(), 'README.md'), 'utf8')).toContain(
    'Sells things',
  );

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Delete workspace' })
    .click();
  await expect(page).toHaveURL(/\/workspaces\/?(\?.*)?$/);
});

test('no other user can enter a workspace', async ({
  page,
  openOtherProfile,
  request,
}) => {
  const created = await request.post(WORKSPACES, {
    headers,
    data: { devfileUrl: DEVFILE },
  });
  expect(created.status()).toBe(201);
  const { workspaceId, ideUrl } = await created.json();
  const one = `${WORKSPACES}/${workspaceId}`;
  await expect
    .poll(
      async () => (await (await request.get(one, { headers })).json()).status,
      { timeout: patient(60_000) },
    )
    .toBe('Running');

  await continueAs(page, 'Grace');
  await page.goto(ideUrl);
  await expect(
    page.getByRole('heading', { level: 1, name: 'Workspace not found' }),
  ).toBeVisible();

  const ticket = await (
    await request.post(`${one}/ticket`, { headers })
  ).json();
  const guest = await openOtherProfile();
  await guest.goto(ticket.url);
  await expect(guest.getByRole('treeitem', { name: 'README.md' })).toBeVisible({
    timeout: patient(60_000),
  });
  const second = await openOtherProfile();
  await second.goto(ticket.url);
  await expect(
    second.getByRole('button', { name: 'Continue as Ada' }),
  ).toBeVisible();

  expect((await request.delete(one, { headers })).status()).toBe(204);
});
