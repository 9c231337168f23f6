import { createApp } from '@backstage/frontend-defaults';
import { mockApis } from '@backstage/frontend-test-utils';
import {
  PageBlueprint,
  createFrontendPlugin,
  createRouteRef,
  oauthRequestApiRef,
  useApi,
} from '@backstage/frontend-plugin-api';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import homePlugin from '@backstage/plugin-home/alpha';
import notificationsPlugin from '@backstage/plugin-notifications/alpha';
import searchPlugin from '@backstage/plugin-search/alpha';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { PaletteSourceBlueprint } from '@slipway/app-react';
import { Helmet } from 'react-helmet';
import { appModules } from './App';
import { FakePortal, fakePortalConfig } from './testing/FakePortal';

function pluginWithPage(
  pluginId: string,
  title: string,
  content = <h1>{title} page</h1>,
) {
  const routeRef = createRouteRef();
  return createFrontendPlugin({
    pluginId,
    routes: { root: routeRef },
    extensions: [
      PageBlueprint.make({
        params: {
          path: `/${pluginId}`,
          title,
          icon: <svg />,
          routeRef,
          noHeader: true,
          loader: async () => content,
        },
      }),
    ],
  });
}

const sayHello = createFrontendPlugin({
  pluginId: 'hello',
  extensions: [
    PaletteSourceBlueprint.make({
      params: {
        title: 'Greetings',
        icon: <svg />,
        loader: async () => () => ({
          list: async () => [
            {
              id: 'say',
              title: 'Say hello',
              kind: 'Action',
              keywords: ['greet'],
              act: { type: 'dialog', dialog: 'say' },
            },
          ],
        }),
        dialogs: {
          say: async () => props => (
            <div role="dialog" aria-label="Hello">
              <button onClick={props.onClose}>Done</button>
            </div>
          ),
        },
      },
    }),
    PaletteSourceBlueprint.make({
      name: 'broken',
      params: {
        title: 'Broken',
        icon: <svg />,
        loader: async () => () => ({
          list: () => Promise.reject(new TypeError('Failed to fetch')),
        }),
      },
    }),
  ],
});

/** A button whose action needs an account at a forge. */
function SignInButton() {
  const oauthRequestApi = useApi(oauthRequestApiRef);
  const ask = oauthRequestApi.createAuthRequester({
    provider: { id: 'forge', title: 'Forge', icon: () => null },
    onAuthRequest: async () => {},
  });
  return <button onClick={() => void ask(new Set())}>Open forge</button>;
}

function renderPortal() {
  const portal = new FakePortal();
  portal.install();
  const app = createApp({
    advanced: {
      configLoader: async () => ({
        config: mockApis.config({ data: fakePortalConfig }),
      }),
    },
    features: [
      homePlugin,
      catalogPlugin,
      searchPlugin,
      notificationsPlugin,
      pluginWithPage('ide-launcher', 'Workspaces'),
      pluginWithPage('weather', 'Weather'),
      pluginWithPage('forge', 'Forge', <SignInButton />),
      pluginWithPage(
        'payments',
        'Payments',
        // Sets the tab's title like the page of an entity.
        <>
          <Helmet titleTemplate="Payments API | %s | Slipway" />
          <Helmet title="Overview" />
        </>,
      ),
      sayHello,
      ...appModules,
    ],
  });
  return { portal, ...render(app.createRoot()) };
}

describe('the portal', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    window.localStorage.clear();
    window.history.pushState({}, '', '/');
  });

  it('signs a named user in and shows the pages that are installed', async () => {
    const { portal, unmount } = renderPortal();
    await userEvent.click(
      await screen.findByRole('button', { name: 'Continue as Ada' }),
    );

    const nav = await screen.findByRole('navigation', {
      name: 'Main navigation',
    });
    expect(portal.refreshedUsers).toEqual(['ada']);
    expect(
      await screen.findByRole('heading', { level: 1, name: 'Home' }),
    ).toBeInTheDocument();

    const headings = within(nav)
      .getAllByRole('heading')
      .map(heading => heading.textContent);
    expect(headings).toEqual(['Catalog', 'Build', 'Admin', 'More']);
    const build = within(nav).getByRole('list', { name: 'Build' });
    expect(
      within(build).getByRole('link', { name: 'Workspaces' }),
    ).toHaveAttribute('href', '/ide-launcher');
    await userEvent.click(
      await within(nav).findByRole('button', { name: 'Ada' }),
    );
    expect(
      await screen.findByRole('menuitem', { name: 'Settings' }),
    ).toHaveAttribute('href', '/settings');
    expect(screen.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    await userEvent.keyboard('{Escape}');

    await userEvent.keyboard('{Control>}k{/Control}');
    const palette = await screen.findByRole('dialog', { name: 'Search' });
    const field = within(palette).getByRole('combobox', { name: 'Search' });
    await waitFor(() => expect(field).toHaveFocus());
    // Finds a page that is in the sidebar although its plugin is unknown to the app, despite a
    // typo.
    await userEvent.keyboard('waether');
    const weather = await within(palette).findByRole('option', {
      name: /^Weather/,
    });
    expect(weather).toHaveAttribute('aria-selected', 'true');
    expect(field).toHaveAttribute('aria-activedescendant', weather.id);
    expect(palette).toHaveTextContent(
      'These parts are not responding: Broken.',
    );
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Weather page' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await userEvent.keyboard('{Control>}k{/Control}');
    await screen.findByRole('group', { name: 'Recent' });
    await userEvent.keyboard('>gree');
    // Until then, the palette lists recently visited pages.
    await waitFor(() =>
      expect(
        screen.getAllByRole('option').map(option => option.textContent),
      ).toEqual(['Say helloAction']),
    );
    await userEvent.keyboard('{Enter}');
    const hello = await screen.findByRole('dialog', { name: 'Hello' });
    await userEvent.click(within(hello).getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    await userEvent.keyboard('?');
    const shortcuts = await screen.findByRole('dialog', {
      name: 'Keyboard shortcuts',
    });
    expect(shortcuts).toHaveTextContent('HomeG HCatalogG CWorkspacesG W');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await userEvent.keyboard('gw');
    await screen.findByRole('heading', { name: 'Workspaces page' });

    // After a reload, the user is still signed in, without a prompt.
    unmount();
    const again = renderPortal();
    await screen.findByRole('navigation', { name: 'Main navigation' });
    expect(again.portal.refreshedUsers).toEqual(['ada']);
  });

  it('lets keyboards skip the navigation first', async () => {
    window.localStorage.setItem('slipway.signIn.user', 'ada');
    renderPortal();
    await screen.findByRole('heading', { level: 1, name: 'Home' });
    await userEvent.tab();
    const skip = screen.getByRole('link', { name: 'Skip to content' });
    expect(skip).toHaveFocus();
    const content = document.querySelector(skip.getAttribute('href')!);
    expect(content).toContainElement(
      screen.getByRole('heading', { level: 1, name: 'Home' }),
    );
    await userEvent.keyboard('{Enter}');
    expect(content).toHaveFocus();
    expect(window.location.hash).toBe('');
  });

  it('shows only its own dialog when a page asks to sign in', async () => {
    window.localStorage.setItem('slipway.signIn.user', 'ada');
    window.history.pushState({}, '', '/forge');
    renderPortal();
    await userEvent.click(
      await screen.findByRole('button', { name: 'Open forge' }),
    );
    await screen.findByRole('dialog', { name: 'Sign in with Forge' });
    const dialogs = screen.getAllByRole('dialog', { hidden: true });
    expect(dialogs.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Sign in with Forge'),
    ]);
  });

  it('closes the drawer of narrow windows when a link is followed, even to the current page', async () => {
    window.localStorage.setItem('slipway.signIn.user', 'ada');
    renderPortal();
    const nav = await screen.findByRole('navigation', {
      name: 'Main navigation',
    });
    await userEvent.click(
      within(nav).getByRole('button', { name: 'Open navigation' }),
    );
    const close = { name: 'Close navigation' };
    expect(within(nav).getByRole('button', close)).toBeVisible();
    await userEvent.click(
      within(nav).getAllByRole('link', { name: 'Home' })[0],
    );
    await waitFor(() =>
      expect(within(nav).queryByRole('button', close)).toBeNull(),
    );
  });

  it('sets the tab title to the page title, without traces of the previous page', async () => {
    window.localStorage.setItem('slipway.signIn.user', 'ada');
    // The title of the document as it is served.
    document.title = 'Slipway';
    renderPortal();
    const nav = await screen.findByRole('navigation', {
      name: 'Main navigation',
    });
    const titled = (title: string) =>
      waitFor(() => expect(document.title).toBe(title));
    await titled('Home | Slipway');
    for (const name of ['Workspaces', 'Weather', 'Home']) {
      await userEvent.click(
        await within(nav).findByRole('link', { name: 'Payments' }),
      );
      await titled('Payments API | Overview | Slipway');
      await userEvent.click(within(nav).getAllByRole('link', { name })[0]);
      await titled(`${name} | Slipway`);
    }
    // A URL without a page sets the title of the not-found page.
    window.history.pushState({}, '', '/nowhere');
    window.dispatchEvent(new PopStateEvent('popstate'));
    await titled('Page not found | Slipway');
    await userEvent.click(
      within(nav).getAllByRole('link', { name: 'Home' })[0],
    );
    // No pending update restores the old title.
    await new Promise(resolve => setTimeout(resolve, 500));
    await titled('Home | Slipway');
  });

  it('shows why a sign-in failed and allows another user to sign in', async () => {
    window.localStorage.setItem('slipway.signIn.user', 'nobody');
    const { portal } = renderPortal();

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Sign-in failed');
    expect(alert).toHaveTextContent('No such user');

    await userEvent.click(
      screen.getByRole('button', { name: 'Continue as Grace' }),
    );
    await screen.findByRole('navigation', { name: 'Main navigation' });
    expect(portal.refreshedUsers).toEqual(['nobody', 'grace']);
  });
});
