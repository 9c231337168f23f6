import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import {
  expectNoSidewaysScroll,
  expectNoViolations,
} from './expectAccessible.ts';
import { signIn } from './signIn.ts';

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 360]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 800 } });

      test('no page of ours violates WCAG 2.1 AA', async ({ page }) => {
        const token = await (
          await page.request.get(
            `${addresses.api}/api/auth/dev/refresh?user=grace`,
          )
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
        await expect(
          page.getByRole('button', { name: 'Continue as Grace' }),
        ).toBeVisible();
        await expectNoViolations(page, 'sign-in');

        await signIn(page, 'Grace');
        await expect(page.getByText('My workspaces')).toBeVisible();
        await expectNoViolations(page, 'home');
        await expectNoSidewaysScroll(page, 'home');

        await page.goto('/workspaces');
        await expect(page.getByRole('link', { name }).first()).toBeVisible();
        await expectNoViolations(page, 'workspaces');
        await expectNoSidewaysScroll(page, 'workspaces');

        await page.goto(
          `/workspaces?create=1&devfileUrl=${addresses.forge}/wrong.yaml`,
        );
        await expect(page.getByText('components[0].name')).toBeVisible();
        await expectNoViolations(page, 'create dialog');

        await page.goto(`/workspaces/${workspaceId}`);
        await expect(page.getByRole('heading', { name })).toBeVisible();
        await expect(page.getByText('Start editor').first()).toBeVisible();
        await expectNoViolations(page, 'workspace');
        await expectNoSidewaysScroll(page, 'workspace');

        await page.request.delete(`${api}/${workspaceId}`, { headers });
      });
    });
  }
}
