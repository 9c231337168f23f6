import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { expectAccessible } from './expectAccessible.ts';
import { signIn } from './signIn.ts';

test('no page of ours violates WCAG 2.1 AA', async ({ page }) => {
  const main = page.getByRole('main');
  const token = await (
    await page.request.get(`${addresses.api}/api/auth/dev/refresh?user=grace`)
  ).json();
  const headers = {
    authorization: `Bearer ${token.backstageIdentity.token}`,
  };
  const api = `${addresses.api}/api/ide-launcher/workspaces`;
  const created = await page.request.post(api, {
    headers,
    data: { devfileUrl: `${addresses.forge}/devfile.yaml` },
  });
  const { workspaceId, name } = await created.json();

  await page.goto('/');
  await expectAccessible(
    page,
    'sign-in',
    page.getByRole('button', { name: 'Continue as Grace' }),
  );

  await signIn(page, 'Grace');
  await expectAccessible(page, 'home', page.getByText('My workspaces'));

  await page.goto('/workspaces');
  await expectAccessible(page, 'workspaces', main.getByRole('link', { name }));

  await page.goto(
    `/workspaces?create=1&devfileUrl=${addresses.forge}/wrong.yaml`,
  );
  await expectAccessible(
    page,
    'create dialog',
    page.getByText('components[0].name'),
  );

  await page.goto(`/workspaces/${workspaceId}`);
  await expect(page.getByRole('heading', { name })).toBeVisible();
  await expectAccessible(page, 'workspace', page.getByText('Start editor'));

  await page.request.delete(`${api}/${workspaceId}`, { headers });
});
