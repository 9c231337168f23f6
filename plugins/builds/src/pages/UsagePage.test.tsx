import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeBuildsApi } from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

let api: FakeBuildsApi;

beforeEach(() => {
  api = new FakeBuildsApi();
});

const open = (search = '') =>
  renderPlugin({ api, path: `/builds/-/usage${search}` });

it('shows what builds took, by time, job and team', async () => {
  const load = { builds: 23, minutes: 270.5, judged: 21, succeeded: 20 };
  const queue = { p50: 9, p95: 190 };
  api.usage = {
    totals: { ...load, queue },
    parts: [
      {
        ...{ from: '2026-11-02', to: '2026-11-02', ...load, queue },
        ...{ executors: 0.13, isOver: true },
      },
      {
        ...{ from: '2026-11-03', to: '2026-11-03', builds: 0, minutes: 0 },
        ...{ judged: 0, succeeded: 0, queue: null },
        ...{ executors: 0, isOver: false },
      },
    ],
    jobs: [
      { job: 'shop', team: 'group:default/payments', ...load },
      { job: 'gone', team: null, ...load, judged: 0, succeeded: 0 },
    ],
    teams: [{ team: 'group:default/payments', ...load }],
    disk: { logs: 100, artifacts: 2_048, caches: 3 * 1024 ** 3, measuredAt: 0 },
  };
  open('?period=2026-11-02..2026-11-03');

  const minutes = await screen.findByRole('group', { name: 'Build minutes' });
  expect(api.asked).toEqual(['usage 2026-11-02..2026-11-03']);
  expect(minutes).toHaveTextContent('271');
  expect(screen.getByText('9.0 s · 3 min 10 s')).toBeInTheDocument();
  expect(screen.getByText('3.0 GiB')).toBeInTheDocument();
  expect(
    screen.getByText('Logs 100 B, artifacts 2.0 KiB, caches 3.0 GiB'),
  ).toBeInTheDocument();

  const table = screen.getByRole('table', { name: 'Queue time, 95%' });
  const [, today, before] = within(table).getAllByRole('row');
  expect(before).toHaveTextContent('2 Nov');
  expect(before).toHaveTextContent('3 min 10 s');
  expect(before).toHaveTextContent('half within 9.0 s');
  expect(today).toHaveTextContent('None');
  expect(today).toHaveTextContent('incomplete');

  const row = screen.getByRole('row', { name: /shop/ });
  expect(row).toHaveTextContent('payments');
  expect(row).toHaveTextContent('95.2%');
  expect(within(row).getByRole('link', { name: 'shop' })).toHaveAttribute(
    'href',
    '/builds/shop',
  );
  expect(screen.getByRole('row', { name: /gone/ })).toHaveTextContent(
    'No team',
  );
});

it('says that there are no builds, and asks for another period', async () => {
  open();
  expect(
    await screen.findByText('No builds in this period'),
  ).toBeInTheDocument();
  expect(screen.getByText('Being counted')).toBeInTheDocument();
  expect(screen.queryByRole('table')).toBeNull();
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: /Last 30 days/ }));
  await user.click(await screen.findByRole('option', { name: 'Last 90 days' }));
  await vi.waitFor(() => expect(api.asked).toHaveLength(2));
});

it.each([
  [403, 'No access to builds'],
  [500, "Couldn't load usage"],
])('says when it is answered %i', async (status, words) => {
  api.failing = status;
  open();
  expect(await screen.findByText(words)).toBeInTheDocument();
});
