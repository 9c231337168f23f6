import { mockApis, renderInTestApp } from '@backstage/frontend-test-utils';
import { failAtOnce, refusal } from '@slipway/test-pages';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Inbox } from './Inbox';
import {
  type Aside,
  type InboxApi,
  InboxClient,
  type InboxItem,
  inboxApiRef,
} from './InboxApi';
import { tomorrow } from './useInbox';

const item = (key: string, more: Partial<InboxItem> = {}): InboxItem => ({
  key,
  kind: 'build-failed',
  title: key,
  at: '2026-11-20T12:00:00Z',
  tone: 'bad',
  page: `/builds/${key}`,
  action: 'View build',
  aside: null,
  ...more,
});

function renderInbox(
  items: InboxItem[],
  {
    missing = [] as string[],
    incomplete = [] as string[],
    failing = false,
    failures = [] as Error[],
    /** Resolves when changes may be stored. */
    stored = Promise.resolve(),
  } = {},
) {
  const changes: [string, Aside | null][] = [];
  const left = [...failures];
  renderInTestApp(<Inbox />, {
    apis: [
      [
        inboxApiRef,
        {
          async read() {
            const failure = left.shift();
            if (failure) {
              throw failure;
            }
            return { items: [...items], missing, incomplete };
          },
          activity: async () => ({ items: [], missing: [] }),
          firstSteps: async () => ({}),
          async setAside(key: string, aside: Aside | null) {
            changes.push([key, aside]);
            await stored;
            if (failing) {
              throw new Error('down');
            }
            const index = items.findIndex(one => one.key === key);
            items[index] = { ...items[index], aside };
          },
        } satisfies InboxApi,
      ],
      failAtOnce,
    ],
  });
  return { changes };
}

it('shows the items in order, each with its action, and what is missing', async () => {
  renderInbox(
    [
      item('failure'),
      item('stale flag', { tone: 'warning', action: 'View flag' }),
    ],
    { missing: ['Builds', 'Feedback'] },
  );
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(row => row.textContent)).toEqual([
    expect.stringMatching(/^Problemfailure/),
    expect.stringMatching(/^Warningstale flag/),
  ]);
  expect(screen.getByRole('link', { name: 'View flag' })).toHaveAttribute(
    'href',
    '/builds/stale flag',
  );
  expect(screen.getByText(/not responding: Builds, Feedback/)).toBeVisible();
});

it('starts with twenty of many items, and says which parts have more', async () => {
  const { changes } = renderInbox(
    Array.from({ length: 25 }, (_, index) => item(`failure ${index}`)),
    { incomplete: ['Builds'] },
  );
  expect(await screen.findAllByRole('listitem')).toHaveLength(20);
  expect(
    screen.getByText('These parts may have more items: Builds.'),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show all 25' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(25);
  await userEvent.click(screen.getByRole('button', { name: 'Show fewer' }));
  expect(screen.getAllByRole('listitem')).toHaveLength(20);
  await userEvent.click(
    screen.getByRole('button', { name: 'Mark all as done' }),
  );
  expect(await screen.findByText('25 items are done.')).toBeVisible();
  await waitFor(() => expect(changes).toHaveLength(25));
});

it.each([
  [401, 'Your session has ended. Sign in again.'],
  [502, 'The portal is not responding. Try again in a moment.'],
])('says that it was refused with %i, and recovers', async (status, told) => {
  renderInbox([item('failure')], { failures: [await refusal(status)] });
  expect(await screen.findByText("Couldn't load your inbox")).toBeVisible();
  expect(screen.getByText(told)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
});

it('dismisses a completed item, and undoes that', async () => {
  const { changes } = renderInbox([item('failure')]);
  await userEvent.click(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  );
  expect(await screen.findByText('Nothing needs you')).toBeVisible();
  expect(screen.getByText('Done: failure.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
  await waitFor(() =>
    expect(changes).toEqual([
      ['failure', { state: 'done', until: null }],
      ['failure', null],
    ]),
  );
});

it('undoes what is still being stored once it is', async () => {
  let store = () => {};
  const stored = new Promise<void>(resolve => {
    store = resolve;
  });
  const { changes } = renderInbox([item('failure')], { stored });
  const done = { name: 'Mark as done: failure' };
  await userEvent.click(await screen.findByRole('button', done));
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', done)).toBeVisible();
  expect(changes).toHaveLength(1);
  act(store);
  await waitFor(() => expect(changes.at(-1)).toEqual(['failure', null]));
});

it('dismisses all items at once, and undoes that', async () => {
  const { changes } = renderInbox([item('failure'), item('other')]);
  await userEvent.click(
    await screen.findByRole('button', { name: 'Mark all as done' }),
  );
  expect(await screen.findByText('2 items are done.')).toBeVisible();
  expect(screen.getByText('Nothing needs you')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(
    await screen.findByRole('button', { name: 'Mark as done: other' }),
  ).toBeVisible();
  await waitFor(() =>
    expect(changes.map(([key, aside]) => [key, aside?.state])).toEqual([
      ['failure', 'done'],
      ['other', 'done'],
      ['failure', undefined],
      ['other', undefined],
    ]),
  );
});

it('keeps the focus next to the item whose button was pressed', async () => {
  renderInbox([
    item('other'),
    item('failure'),
    item('old', { aside: { state: 'done', until: null } }),
  ]);
  const done = { name: 'Mark as done: failure' };
  const button = await screen.findByRole('button', done);
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
  const undo = await screen.findByRole('button', { name: 'Undo' });
  await waitFor(() => expect(undo).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', done)).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  const back = screen.getByRole('button', { name: 'Move to inbox: old' });
  act(() => back.focus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(
      screen.getByRole('button', { name: 'Mark as done: old' }),
    ).toHaveFocus(),
  );
});

it('keeps the focus in the list if the item moves below what is shown', async () => {
  renderInbox([
    ...Array.from({ length: 20 }, (_, index) => item(`failure ${index}`)),
    item('old', { aside: { state: 'done', until: null } }),
  ]);
  await userEvent.click(await screen.findByRole('button', { name: 'Show' }));
  const back = screen.getByRole('button', { name: 'Move to inbox: old' });
  act(() => back.focus());
  await userEvent.keyboard('{Enter}');
  await waitFor(() =>
    expect(
      screen.getByRole('button', { name: 'Mark as done: failure 19' }),
    ).toHaveFocus(),
  );
});

it('snoozes an item until tomorrow', async () => {
  const { changes } = renderInbox([item('failure')]);
  await userEvent.click(
    await screen.findByRole('button', {
      name: 'Snooze until tomorrow: failure',
    }),
  );
  expect(await screen.findByText('1 set aside')).toBeVisible();
  await waitFor(() =>
    expect(changes).toEqual([
      ['failure', { state: 'snoozed', until: expect.stringContaining('T') }],
    ]),
  );
});

it('shows dismissed items on request', async () => {
  renderInbox([
    item('failure', { aside: { state: 'done', until: null } }),
    item('other'),
  ]);
  expect(
    await screen.findByRole('button', { name: 'Mark as done: other' }),
  ).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Show' }));
  await userEvent.click(
    screen.getByRole('button', { name: 'Move to inbox: failure' }),
  );
  expect(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
});

it('brings an item back whose change was not saved', async () => {
  renderInbox([item('failure')], { failing: true });
  await userEvent.click(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  );
  expect(
    await screen.findByText("Couldn't change failure. Try again."),
  ).toBeVisible();
  expect(
    await screen.findByRole('button', { name: 'Mark as done: failure' }),
  ).toBeVisible();
});

it('determines how long an item is dismissed', () => {
  const at = new Date(2026, 10, 20, 15, 30).getTime();
  expect(tomorrow(at)).toBe(new Date(2026, 10, 21, 9).getTime());
});

it('writes to the portal over HTTP', async () => {
  const requests: [string, string | undefined, unknown][] = [];
  const client = new InboxClient({
    discoveryApi: mockApis.discovery({ baseUrl: 'http://portal' }),
    fetchApi: {
      async fetch(input, init) {
        requests.push([String(input), init?.method, init?.body]);
        return Response.json({ items: [], missing: [] });
      },
    },
  });
  await client.read();
  await client.setAside('build:team/a#1', { state: 'done', until: null });
  await client.setAside('x', null);
  const base = 'http://portal/api/inbox/items';
  expect(requests).toEqual([
    [base, undefined, undefined],
    [`${base}/build%3Ateam%2Fa%231/aside`, 'PUT', '{"state":"done"}'],
    [`${base}/x/aside`, 'DELETE', undefined],
  ]);
});
