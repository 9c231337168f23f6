import { expect, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import {
  COLOUR_RULES,
  expectAccessible,
  expectNoViolations,
} from './expectAccessible.ts';
import { expectStill, watchShift } from './expectStill.ts';
import { continueAs, signIn } from './signIn.ts';
import { testAccessiblePages } from './testAccessiblePages.ts';

test('no page of ours violates WCAG 2.2 AA', async ({ page }) => {
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

testAccessiblePages('the catalog and settings', {
  user: 'Grace',
  pages: [
    ['/catalog', 'entities'],
    ['/catalog?q=nowhere', 'No matching entities'],
    ['/api-docs', 'APIs'],
    ['/catalog/default/api/delivery-lake', 'Providers'],
    ['/catalog/default/api/delivery-lake/definition', 'OpenAPI'],
    ['/catalog/default/component/none', 'Not found in the catalog'],
    ['/catalog/default/domain/developer-experience', 'Systems'],
    ['/catalog/default/resource/database', 'where the portal'],
    ['/catalog-graph', 'Where the graph starts'],
    [
      '/catalog-graph?rootEntityRefs[]=group:default/payments&maxDepth=1',
      'Select an entity',
    ],
    ['/catalog-import', 'A descriptor is'],
    ['/search', 'Search everything'],
    ['/search?query=grace', 'Results'],
    ['/notifications', 'What the platform and your teams'],
    ['/settings', 'Theme'],
    ['/nowhere', 'Page not found'],
  ],
});

test('a definition violates no rule of WCAG 2.2 AA when its operations are open', async ({
  page,
}) => {
  await continueAs(page, 'Grace');
  const main = page.getByRole('main');
  const tryOut = main.getByRole('button', { name: 'Try it out' });
  for (const colorScheme of ['light', 'dark'] as const) {
    // A change of the mode renders the page again.
    await page.emulateMedia({ colorScheme });
    await page.goto('/catalog/default/api/delivery-lake/definition');
    for (const name of [/^GET/, /^POST/]) {
      await main.getByRole('button', { name }).first().click();
    }
    await expect(tryOut).toHaveCount(2);
    // A pressed button has a different name.
    await tryOut.first().click();
    await tryOut.first().click();
    await expect(
      main.getByRole('textbox', { name: 'Request body' }),
    ).toBeVisible();
    await expectNoViolations(
      page,
      `open operations, ${colorScheme}`,
      colorScheme === 'dark' ? COLOUR_RULES : undefined,
    );
  }
});

testAccessiblePages('administration', {
  user: 'Ada',
  pages: [
    ['/admin', 'Audit log'],
    ['/admin/access', 'The last visit is when'],
    ['/admin/access?show=roles', 'Trigger groups'],
    ['/admin/tokens', 'dev-service'],
    ['/admin/webhooks', 'delivery-lake'],
    ['/admin/health', 'build-server'],
    ['/admin/adoption', 'used the portal'],
  ],
});

test('pages stay where they are while they load', async ({ page }) => {
  await watchShift(page);
  await signIn(page, 'Grace');
  for (const [path, shown] of [
    ['/', 'My workspaces'],
    ['/catalog', 'entities'],
    ['/delivery', 'Delivery'],
    ['/experience', 'Experience'],
    ['/notifications', 'What the platform and your teams'],
    ['/catalog-import', 'A descriptor is'],
  ]) {
    await expectStill(page, path, page.getByRole('main').getByText(shown));
  }
});
