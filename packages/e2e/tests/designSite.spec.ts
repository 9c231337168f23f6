import { expect, type Page, test } from '@playwright/test';
import { addresses } from '../src/addresses.ts';
import { COLOUR_RULES, expectNoViolations } from './expectAccessible.ts';

test.use({ baseURL: addresses.services['design-site'] });

interface Index {
  entries: Record<string, { id: string; type: string; title: string }>;
}

test('the site lists components with their stories and documentation', async ({
  page,
}) => {
  const story = page.frameLocator('#storybook-preview-iframe');

  await test.step('the list links to the documentation', async () => {
    await page.goto('/');
    await story.getByRole('link', { name: 'Button', exact: true }).click();
    await expect(
      story.getByRole('heading', { name: 'Button', level: 1 }),
    ).toBeVisible();
    await expect(
      story.getByText('No violation of WCAG 2.1 AA found'),
    ).toBeVisible();
    await expect(
      story.getByRole('treeitem', { name: /button “Create workspace”/ }),
    ).toBeVisible();
  });

  await test.step('a dialog is checked inside its frame', async () => {
    await page.goto('/docs/modal');
    await story
      .getByRole('heading', { name: 'Accessibility', exact: true })
      .scrollIntoViewIfNeeded();
    await expect(
      story.getByRole('treeitem', { name: /dialog “Create token”/ }),
    ).toBeVisible();
  });

  await test.step('the panel next to a story follows it', async () => {
    await page.goto('/story/modal/');
    await expect(
      page.getByRole('tab', { name: 'WCAG 2.1 AA' }),
    ).toHaveAttribute('aria-selected', 'true');
    await expect(
      page.getByText('No violation of WCAG 2.1 AA found'),
    ).toBeVisible();
    await page.getByRole('treeitem', { name: /^dialog/ }).hover();
    await expect(story.locator('#slipway-pointer')).toBeAttached();
  });

  await test.step('a dialog traps the focus, but not from the panel', async () => {
    await page.goto('/story/modal/');
    await expect(story.getByRole('dialog')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await expect(
      story.getByRole('dialog').getByRole('button', { name: 'Create token' }),
    ).toBeFocused();
    await page.keyboard.press('F6');
    await expect(page.locator('#storybook-panel-root')).toBeFocused();
  });

  await test.step('the tree can be navigated by keyboard', async () => {
    await page.goto('/story/data-table');
    const tree = page.getByRole('tree', { name: 'Accessibility tree' });
    const table = tree.getByRole('treeitem', { name: /^grid “Deployments”/ });
    await table.focus();
    await page.keyboard.press('ArrowDown');
    await expect(story.locator('#slipway-pointer')).toBeAttached();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect(table).toHaveAttribute('aria-expanded', 'false');
  });

  await test.step('the variables can be copied', async () => {
    await page.goto('/docs/tokens');
    await expect(
      story.getByRole('button', { name: 'Copy var(--slipway-space-4)' }),
    ).toBeVisible();
  });

  await test.step('an old address of Storybook leads to the list of pages', async () => {
    await page.goto('/?path=/docs/components-nope--docs');
    await expect(
      page.getByRole('heading', { name: 'Page not found' }),
    ).toBeVisible();
  });

  await test.step('unknown pages are 404', async () => {
    const answer = await page.goto('/story/nope');
    expect(answer?.status()).toBe(404);
    await expect(
      page.getByRole('link', { name: 'Button', exact: true }),
    ).toBeVisible();
  });
});

/** The themes, and the rules for each: in dark mode only colours can differ. */
const THEMES = [
  { theme: 'light', rules: undefined },
  { theme: 'dark', rules: COLOUR_RULES },
];

test('no component violates WCAG 2.1 AA', async ({ page, context }) => {
  const index = (await (await page.request.get('/index.json')).json()) as Index;
  const stories = Object.values(index.entries).filter(
    ({ type, title }) => type === 'story' && title.startsWith('Components/'),
  );
  expect(stories.length).toBeGreaterThan(10);
  const check = async (
    tab: Page,
    { theme, rules }: (typeof THEMES)[number],
  ) => {
    // The addon would run the same rules at the same time.
    const globals = `theme:${theme};a11y.manual:!true`;
    await tab.goto(
      `/iframe.html?id=${stories[0].id}&viewMode=story&globals=${globals}`,
    );
    await expect(tab.locator('body')).toHaveClass(/sb-show-main/);
    for (const { id } of stories) {
      await showStory(tab, id);
      await expectNoViolations(tab, `${id}, ${theme}`, rules);
    }
  };
  const tabs = [page, await context.newPage()];
  await Promise.all(THEMES.map((look, number) => check(tabs[number], look)));
});

/**
 * Replaces the story in a loaded preview, as the site's own navigation does: a new page would load
 * all modules again.
 */
async function showStory(tab: Page, storyId: string): Promise<void> {
  const rendered = await tab.evaluate(
    id =>
      new Promise<string>(resolve => {
        const { __STORYBOOK_ADDONS_CHANNEL__: channel } = window as unknown as {
          __STORYBOOK_ADDONS_CHANNEL__: {
            once(event: string, listener: () => void): void;
            emit(event: string, data: object): void;
          };
        };
        for (const event of [
          'storyFinished',
          'storyUnchanged',
          'storyErrored',
          'storyMissing',
          'storyThrewException',
        ]) {
          channel.once(event, () => resolve(event));
        }
        channel.emit('setCurrentStory', { storyId: id, viewMode: 'story' });
      }),
    storyId,
  );
  expect(rendered, storyId).toMatch(/^story(?:Finished|Unchanged)$/);
}
