import type { IdentityApi } from '@backstage/frontend-plugin-api';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import { screen, waitFor } from '@testing-library/react';
import { OidcSignIn } from './OidcSignIn';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('keeps the focus on the button while it checks for a session', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  renderInTestApp(<OidcSignIn title="Acme" onSignIn={() => {}} />);
  const button = await screen.findByRole('button', { name: /Acme/ });
  button.focus();
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-disabled', 'true');
});

it('reloads the page once somebody else has signed in, without giving it their token', async () => {
  const sessionOf = (user: string) =>
    Response.json({
      profile: {},
      providerInfo: { idToken: '', accessToken: '', scope: '' },
      backstageIdentity: {
        token: `token of ${user}`,
        // So short that every call renews the session.
        expiresInSeconds: 1,
        identity: {
          type: 'user',
          userEntityRef: `user:default/${user}`,
          ownershipEntityRefs: [],
        },
      },
    });
  let user = 'ada';
  vi.stubGlobal('fetch', async () => sessionOf(user));
  const onSignIn = vi.fn<(identity: IdentityApi) => void>();
  const reload = vi.fn();
  renderInTestApp(
    <OidcSignIn title="Acme" onSignIn={onSignIn} reload={reload} />,
  );
  await waitFor(() => expect(onSignIn).toHaveBeenCalledOnce());
  const [[identity]] = onSignIn.mock.calls;
  expect(await identity.getCredentials()).toEqual({ token: 'token of ada' });
  expect(reload).not.toHaveBeenCalled();
  user = 'grace';
  const issued = vi.fn();
  void identity.getCredentials().then(issued);
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(issued).not.toHaveBeenCalled();
});
