import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import {
  appThemeApiRef,
  createFrontendPlugin,
  PageBlueprint,
  useApi,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { themeModule } from './themeModule';

const START = join(__dirname, '../../../public/start.js');
const DESCRIPTION =
  'Takes the payments of every shop, tells the ledger of them, and pays what is owed to sellers once a week.';

it('limits descriptions in the catalog to two lines, except in the focused row', async () => {
  const payments = {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'payments', description: DESCRIPTION },
    spec: { type: 'service', lifecycle: 'production' },
  };
  const { user } = renderPages({
    path: '/catalog?filters[user]=all',
    features: [catalogPlugin, themeModule],
    apis: [[catalogApiRef, catalogApiMock({ entities: [payments] })]],
  });
  await screen.findByText(DESCRIPTION);
  // The table recreates its rows while its data arrives.
  const text = () => screen.getByText(DESCRIPTION);
  const lines = () =>
    window.getSheetStyle(text()).getPropertyValue('-webkit-line-clamp');
  expect(lines()).toBe('2');
  // Without a minimum, columns with a fixed width leave only the width of the longest word.
  expect(window.getSheetStyle(text()).minWidth).toBe('200px');

  await waitFor(() => {
    screen.getByRole('link', { name: 'payments' }).focus();
    expect(lines()).toBe('none');
  });
  // A tooltip opens shortly after the pointer arrives, and is lost with a replaced row.
  await vi.waitFor(
    async () => {
      await user.unhover(text());
      await user.hover(text());
      const tooltip = await screen.findByRole(
        'tooltip',
        {},
        { timeout: 3_000 },
      );
      expect(tooltip).toHaveTextContent(DESCRIPTION);
    },
    { timeout: 20_000 },
  );
});

/** Adds the tag of the page that says in which colours the browser draws. */
function addColorScheme(): HTMLMetaElement {
  const meta = document.createElement('meta');
  meta.name = 'color-scheme';
  meta.content = 'light dark';
  document.head.append(meta);
  onTestFinished(() => meta.remove());
  return meta;
}

it.each([
  ['dark', 'dark'],
  ['light', 'light'],
  [null, 'light dark'],
  ['custom', 'light dark'],
])('starts the page in the chosen theme %j', (chosen, colors) => {
  const meta = addColorScheme();
  onTestFinished(() => window.localStorage.clear());
  if (chosen) {
    window.localStorage.setItem('theme', chosen);
  }
  runInThisContext(readFileSync(START, 'utf8'));
  expect(meta).toHaveAttribute('content', colors);
});

it('keeps what was typed when the theme changes', async () => {
  function Form() {
    const themes = useApi(appThemeApiRef);
    return (
      <>
        <input aria-label="Draft" />
        <button onClick={() => themes.setActiveThemeId('dark')}>Dark</button>
        <button onClick={() => themes.setActiveThemeId('light')}>Light</button>
      </>
    );
  }
  const page = PageBlueprint.make({
    params: { path: '/form', loader: async () => <Form /> },
  });
  const meta = addColorScheme();
  const { user } = renderPages({
    path: '/form',
    features: [
      createFrontendPlugin({ pluginId: 'form', extensions: [page] }),
      themeModule,
    ],
  });
  await user.type(await screen.findByLabelText('Draft'), 'Half a sentence');
  for (const mode of ['dark', 'light']) {
    await user.click(screen.getByText(new RegExp(mode, 'i')));
    await waitFor(() =>
      expect(document.body).toHaveAttribute('data-theme-mode', mode),
    );
    expect(meta).toHaveAttribute('content', mode);
    expect(screen.getByLabelText('Draft')).toHaveValue('Half a sentence');
  }
});
