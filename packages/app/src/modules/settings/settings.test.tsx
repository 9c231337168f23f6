import { identityApiRef } from '@backstage/frontend-plugin-api';
import { mockApis } from '@backstage/frontend-test-utils';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import userSettingsPlugin from '@backstage/plugin-user-settings/alpha';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { catalogApiMock } from '@backstage/plugin-catalog-react/testUtils';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { settingsModule } from './settingsModule';

function open() {
  const identity = mockApis.identity({
    userEntityRef: 'user:default/ada',
    ownershipEntityRefs: ['user:default/ada', 'group:default/cart'],
    displayName: 'Ada',
    email: 'ada@example.org',
  });
  const signOut = vi.spyOn(identity, 'signOut');
  const pages = renderPages({
    path: '/settings/general',
    features: [catalogPlugin, userSettingsPlugin, settingsModule],
    apis: [
      [identityApiRef, identity],
      [catalogApiRef, catalogApiMock()],
    ],
  });
  return { ...pages, signOut };
}

afterEach(() => window.localStorage.clear());

it('shows who is signed in, with their groups, and signs them out', async () => {
  const { user, signOut } = open();
  expect(await screen.findByText('ada@example.org')).toBeVisible();
  expect(screen.getByRole('link', { name: 'cart' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Sign out' }));
  expect(signOut).toHaveBeenCalledOnce();
});

it('says why signing out failed', async () => {
  const { user, signOut } = open();
  signOut.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  await user.click(await screen.findByRole('button', { name: 'Sign out' }));
  // Backstage's messages fade in.
  await waitFor(() =>
    expect(screen.getByText("Couldn't sign out")).toBeVisible(),
  );
});

it('changes the theme, and follows the system again', async () => {
  const { user } = open();
  // The page has loaded completely.
  await screen.findByText('ada@example.org');
  const choice = (name: RegExp) => screen.getByRole('radio', { name });
  expect(choice(/System/)).toBeChecked();
  await user.click(choice(/Dark/));
  expect(choice(/Dark/)).toBeChecked();
  expect(choice(/System/)).not.toBeChecked();
  await user.click(choice(/System/));
  expect(choice(/System/)).toBeChecked();
});

it('collapses the sidebar', async () => {
  const { user } = open();
  await screen.findByText('ada@example.org');
  const pinned = screen.getByRole('switch');
  expect(pinned).toBeChecked();
  await user.click(pinned);
  expect(pinned).not.toBeChecked();
  expect(window.localStorage.getItem('slipway.sidebar.collapsed')).toBe('true');
});
