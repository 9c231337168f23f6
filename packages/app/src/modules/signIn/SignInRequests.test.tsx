import { OAuthRequestManager } from '@backstage/core-app-api';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  createFrontendModule,
  oauthRequestApiRef,
  toastApiRef,
} from '@backstage/frontend-plugin-api';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { ToastRegion } from '../toasts/ToastRegion';
import { Toasts } from '../toasts/Toasts';
import { signInRequests } from './SignInRequests';

/** Renders the dialog with providers at which signing in has the outcome of `signIn`. */
async function open(id: string, signIn: () => Promise<string>) {
  const manager = new OAuthRequestManager();
  const requester = (provider: string, title: string) =>
    manager.createAuthRequester({
      provider: { id: provider, title, icon: () => null },
      onAuthRequest: signIn,
    });
  const askers = {
    first: requester(id, 'Example ID'),
    forge: requester('forge', 'Forge'),
  };
  const toasts = new Toasts();
  renderInTestApp(
    <>
      <Link to="/elsewhere">Elsewhere</Link>
      <ToastRegion toasts={toasts} />
    </>,
    {
      features: [
        createFrontendModule({
          pluginId: 'app',
          extensions: [signInRequests],
        }),
      ],
      apis: [
        [oauthRequestApiRef, manager],
        [toastApiRef, toasts],
      ],
    },
  );
  await screen.findByText('Elsewhere');
  const asked: Promise<string>[] = [];
  return {
    ask(name: keyof typeof askers = 'first') {
      act(() => void asked.push(askers[name](new Set(['openid']))));
      return asked[asked.length - 1];
    },
  };
}

const dialog = { name: 'Your session has ended' };
const again = { name: 'Continue with Example ID' };

it('asks to sign in again once the session has ended, and shows a failure', async () => {
  const results: (() => Promise<string>)[] = [
    () => Promise.reject(new Error('The window was closed')),
    async () => 'a session',
  ];
  const { ask } = await open('oidc', () => results.shift()!());
  const asked = ask();
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', again));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The window was closed',
  );
  await userEvent.click(screen.getByRole('button', again));
  expect(await asked).toBe('a session');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Your session has ended')).toBeNull();
});

it('lets the user sign in later, while requests wait, and asks anew the next time', async () => {
  const { ask } = await open('oidc', async () => 'a session');
  const asked = ask();
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const later = ask();
  expect(screen.queryByRole('dialog')).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', again));
  expect(await Promise.all([asked, later])).toEqual(['a session', 'a session']);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.queryByText('Your session has ended')).toBeNull();

  void ask();
  await screen.findByRole('dialog', dialog);
});

it('asks again on another page', async () => {
  const { ask } = await open('oidc', async () => 'a session');
  void ask();
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await userEvent.click(screen.getByRole('link', { name: 'Elsewhere' }));
  await screen.findByRole('dialog', dialog);
});

it('rejects a request for another provider if the user cancels', async () => {
  const { ask } = await open('github', async () => 'a token');
  const outcome = ask().catch((error: Error) => error.message);
  await screen.findByRole('dialog', { name: 'Sign in with Example ID' });
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await outcome).toMatch('rejected by user');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('asks to continue the session before asking for an account, and rejects neither', async () => {
  const { ask } = await open('oidc', async () => 'a session');
  const account = ask('forge');
  await screen.findByRole('dialog', { name: 'Sign in with Forge' });
  const session = ask();
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  await screen.findByRole('dialog', dialog);
  await userEvent.click(screen.getByRole('button', again));
  expect(await session).toBe('a session');
  await screen.findByRole('dialog', { name: 'Sign in with Forge' });
  await userEvent.click(
    screen.getByRole('button', { name: 'Continue with Forge' }),
  );
  expect(await account).toBe('a session');
});
