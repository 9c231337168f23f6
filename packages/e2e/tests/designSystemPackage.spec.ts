import { expect, test as base } from '@playwright/test';
import { EmptyApp } from '../src/EmptyApp.ts';
import { expectNoViolations } from './expectAccessible.ts';

const ORIGIN = 'http://empty-app.test';

const test = base.extend<object, { app: EmptyApp }>({
  app: [
    async ({}, use) => {
      const app = await EmptyApp.create();
      await use(app);
      await app.remove();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

for (const [colorScheme, accent] of [
  ['light', 'rgb(10, 101, 131)'],
  ['dark', 'rgb(90, 195, 226)'],
] as const) {
  test(`an empty app shows the packed components, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.route(`${ORIGIN}/**`, route =>
      route.fulfill({
        path: app.fileOf(new URL(route.request().url()).pathname),
      }),
    );
    await page.goto(`${ORIGIN}/`);
    await page.evaluate(
      mode => document.documentElement.setAttribute('data-theme-mode', mode),
      colorScheme,
    );

    await expect(
      page.getByRole('heading', { name: 'Deployments' }),
    ).toBeVisible();
    // A control of @backstage/ui, styled with the stylesheet's tokens.
    await expect(page.getByRole('button', { name: 'Deploy' })).toHaveCSS(
      'background-color',
      accent,
    );
    // A rule in the style sheet of one of our components.
    await expect(page.locator('.slw-StatusBadge')).toHaveCSS(
      'column-gap',
      '4px',
    );
    // The font included in the stylesheet.
    await page.evaluate(() => document.fonts.ready);
    expect(
      await page.evaluate(() => document.fonts.check('14px "Inter Variable"')),
    ).toBe(true);
    await expectNoViolations(page, colorScheme);
    const screens = process.env.SLIPWAY_SCREENS;
    if (screens) {
      await page.screenshot({
        path: `${screens}/empty-app-${colorScheme}.png`,
      });
    }
  });
}
