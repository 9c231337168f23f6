import { renderInTestApp } from '@backstage/frontend-test-utils';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { DevelopmentSignIn } from './DevelopmentSignIn';

const USERS = [
  { name: 'ada', displayName: 'Ada' },
  { name: 'grace', displayName: 'Grace' },
];

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

it('retries for no other user than the one who was chosen last', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    const user = new URL(input).searchParams.get('user');
    asked.push(user);
    return user === 'ada'
      ? new Response(null, { status: 503 })
      : new Promise(() => {});
  });
  renderInTestApp(<DevelopmentSignIn users={USERS} onSignIn={() => {}} />);
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(
    await screen.findByRole('button', { name: 'Continue as Ada' }),
  );
  await screen.findByText('Sign-in failed');
  await user.click(screen.getByRole('button', { name: 'Continue as Grace' }));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(asked).toEqual(['ada', 'grace']);
});
