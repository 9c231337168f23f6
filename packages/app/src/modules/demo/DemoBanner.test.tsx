import { renderInTestApp } from '@backstage/frontend-test-utils';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type Demo, DemoApi, demoApiRef } from './DemoApi';
import { DemoBanner } from './DemoBanner';

function renderBanner(demo: Partial<Demo>, refusal?: Error) {
  const methods: string[] = [];
  const api = new DemoApi({
    memory: window.localStorage,
    client: {
      async json<T>(_: string, call?: { method?: string }) {
        methods.push(call?.method ?? 'GET');
        if (refusal && call?.method) {
          throw refusal;
        }
        return {
          phase: 'loaded',
          steps: [],
          error: null,
          mayManage: true,
          refusal: null,
          writes: [],
          ...demo,
        } as T;
      },
    },
    reload: () => {},
  });
  renderInTestApp(<DemoBanner />, { apis: [[demoApiRef, api]] });
  return { methods };
}

it('shows that all data is invented, and removes it once an admin confirms', async () => {
  const { methods } = renderBanner({});
  expect(
    await screen.findByRole('complementary', { name: 'Demo organisation' }),
  ).toHaveTextContent('are invented');
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await userEvent.click(
    await screen.findByRole('button', { name: 'Remove demo organisation' }),
  );
  await waitFor(() => expect(methods).toContain('DELETE'));
});

it('does not offer removal to other users', async () => {
  renderBanner({ mayManage: false });
  await screen.findByRole('complementary');
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it('shows the progress', async () => {
  const step = { id: 'x', title: 'X', done: 0, total: 0 };
  renderBanner({
    phase: 'loading',
    steps: [
      { ...step, status: 'done' },
      { ...step, id: 'y', status: 'running' },
    ],
  });
  expect(await screen.findByRole('status')).toHaveTextContent(
    'Loading: 1 of 2 parts are ready.',
  );
});

it('is not there without a demo organisation', async () => {
  const { methods } = renderBanner({ phase: 'absent' });
  await waitFor(() => expect(methods).toEqual(['GET']));
  expect(screen.queryByRole('complementary')).not.toBeInTheDocument();
});

it('says why it was not removed', async () => {
  renderBanner({}, new Error('The demo organisation is loading'));
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  await userEvent.click(
    await screen.findByRole('button', { name: 'Remove demo organisation' }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The demo organisation is loading',
  );
});
