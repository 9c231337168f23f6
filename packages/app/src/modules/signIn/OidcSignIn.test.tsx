import { renderInTestApp } from '@backstage/frontend-test-utils';
import { screen } from '@testing-library/react';
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
