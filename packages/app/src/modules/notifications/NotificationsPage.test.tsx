import notificationsPlugin from '@backstage/plugin-notifications/alpha';
import {
  type GetNotificationsOptions,
  notificationsApiRef,
  type UpdateNotificationsOptions,
} from '@backstage/plugin-notifications';
import type { Notification } from '@backstage/plugin-notifications-common';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { renderPages } from '@slipway/test-pages';
import { act, screen, waitFor, within } from '@testing-library/react';
import { notificationsModule } from './notificationsModule';

const notification = (
  id: string,
  title: string,
  extra: Partial<Notification['payload']> = {},
): Notification => ({
  id,
  user: 'user:default/ada',
  created: new Date('2026-01-02T03:04:05Z'),
  origin: 'feedback',
  payload: { title, severity: 'normal', ...extra },
});

/** Notifications in memory, and the signal of their changes. */
function fakeNotifications(all: Notification[]) {
  let onMessage: (message: { action: string }) => void = () => {};
  const asked: GetNotificationsOptions[] = [];
  const api = {
    async getNotifications(options: GetNotificationsOptions = {}) {
      asked.push(options);
      const { read, saved, search = '', offset = 0, limit } = options;
      const found = all.filter(
        one =>
          (read === undefined || Boolean(one.read) === read) &&
          (saved === undefined || Boolean(one.saved) === saved) &&
          one.payload.title.includes(search),
      );
      return {
        notifications: found
          .slice(offset, limit && offset + limit)
          .map(one => ({ ...one })),
        totalCount: found.length,
      };
    },
    getNotification: async (id: string) => {
      const found = all.find(one => one.id === id);
      if (!found) {
        throw new Error('not found');
      }
      return { ...found };
    },
    getStatus: async () => ({
      unread: all.filter(one => !one.read).length,
      read: all.filter(one => one.read).length,
    }),
    getTopics: async () => ({ topics: ['builds'] }),
    async updateNotifications(options: UpdateNotificationsOptions) {
      const { ids, read, saved } = options;
      const dateOf = (on: boolean) => (on ? new Date() : undefined);
      for (const one of all.filter(({ id }) => ids.includes(id))) {
        Object.assign(one, {
          ...(read !== undefined && { read: dateOf(read) }),
          ...(saved !== undefined && { saved: dateOf(saved) }),
        });
      }
      return [];
    },
  };
  const signals = {
    subscribe(_channel: string, listener: typeof onMessage) {
      onMessage = listener;
      return { unsubscribe() {} };
    },
  };
  return { api, signals, asked, signal: () => onMessage({ action: 'new' }) };
}

function open(path: string, all: Notification[]) {
  const fake = fakeNotifications(all);
  const pages = renderPages({
    path,
    features: [notificationsPlugin, notificationsModule],
    apis: [
      [notificationsApiRef, fake.api as never],
      [signalApiRef, fake.signals as never],
    ],
  });
  return { ...pages, ...fake };
}

const row = (name: RegExp) => screen.findByRole('row', { name });

it('lists unread notifications, and marks them as read with undo', async () => {
  const { user } = open('/notifications', [
    notification('a', 'Build failed', { link: '/builds', severity: 'high' }),
    notification('b', 'Survey due'),
  ]);
  const build = await row(/Build failed/);
  expect(within(build).getByRole('link')).toHaveAttribute('href', '/builds');
  expect(within(build).getByText('High')).toBeVisible();
  await user.click(
    within(build).getByRole('button', { name: 'Mark as read: Build failed' }),
  );
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /Build failed/ })).toBeNull(),
  );
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(await screen.findByText('No unread notifications')).toBeVisible();
  const [undo] = await screen.findAllByRole('button', { name: 'Undo' });
  await user.click(undo);
  expect(await row(/Build failed|Survey due/)).toBeVisible();
});

it('saves selected ones, and lists those', async () => {
  const { user, address } = open('/notifications?view=all', [
    notification('a', 'Build failed'),
    notification('b', 'Survey due'),
  ]);
  const survey = await row(/Survey due/);
  await user.click(within(survey).getByRole('checkbox'));
  const bulk = screen.getByRole('toolbar', { name: 'Selected rows' });
  await user.click(within(bulk).getByRole('button', { name: 'Save' }));
  await user.click(screen.getByRole('button', { name: /View$/ }));
  await user.click(await screen.findByRole('option', { name: 'Saved' }));
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /Build failed/ })).toBeNull(),
  );
  expect(await row(/Survey due/)).toBeVisible();
  expect(address()).toBe('/notifications?view=saved');
});

it("names the platform's topics and origins, and shows others as they are", async () => {
  open('/notifications', [
    notification('a', 'Payments', { topic: 'build-failed' }),
    { ...notification('b', 'Elsewhere', { topic: 'x-y' }), origin: 'other' },
  ]);
  const payments = await row(/Payments/);
  expect(within(payments).getByText('Failed builds')).toBeVisible();
  expect(within(payments).getByText('Feedback')).toBeVisible();
  const elsewhere = await row(/Elsewhere/);
  expect(within(elsewhere).getByText('x-y')).toBeVisible();
  expect(within(elsewhere).getByText('other')).toBeVisible();
});

it('reads the query from the URL', async () => {
  const { asked } = open(
    '/notifications?view=read&severity=high&topic=builds&q=x&page=2',
    [],
  );
  await screen.findByText('No matching notifications');
  expect(asked[0]).toMatchObject({
    read: true,
    minimumSeverity: 'high',
    topic: 'builds',
    search: 'x',
    offset: 50,
  });
});

it('applies a filter from any page, on the first one', async () => {
  const { user, asked, address } = open('/notifications?view=all&page=2', [
    notification('a', 'Build failed'),
  ]);
  await row(/Build failed/);
  await user.type(screen.getByRole('searchbox'), 'x');
  await screen.findByText('No matching notifications');
  expect(address()).toBe('/notifications?view=all&q=x');
  expect(asked.at(-1)).toMatchObject({ search: 'x', offset: 0 });
});

it('shows the notification of a link although it is read, and runs no script', async () => {
  const script = notification('a', 'Careful', {
    // eslint-disable-next-line no-script-url
    link: 'javascript:alert(1)',
  });
  open('/notifications?id=a', [{ ...script, read: new Date() }]);
  const careful = await row(/Careful/);
  expect(within(careful).queryByRole('link')).toBeNull();
  expect(careful).toHaveAttribute('data-open', 'true');
});

it('shows what arrives while the page is open', async () => {
  const all = [notification('a', 'Build failed')];
  const { signal } = open('/notifications', all);
  await row(/Build failed/);
  all.push(notification('b', 'Survey due'));
  act(signal);
  expect(await row(/Survey due/)).toBeVisible();
});

it('shows an error if notifications fail to load, and retries', async () => {
  const all = [notification('a', 'Build failed')];
  const fake = fakeNotifications(all);
  vi.spyOn(fake.api, 'getStatus').mockRejectedValueOnce(new Error('down'));
  const { user } = renderPages({
    path: '/notifications',
    features: [notificationsPlugin, notificationsModule],
    apis: [
      [notificationsApiRef, fake.api as never],
      [signalApiRef, fake.signals as never],
    ],
  });
  await screen.findByText("Couldn't load notifications");
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await row(/Build failed/)).toBeVisible();
});

it.each(['view=', 'view=new&severity=urgent&since=constructor'])(
  'takes what the address does not know as none: %s',
  async query => {
    const { asked } = open(`/notifications?${query}`, [
      notification('a', 'Build failed'),
      { ...notification('b', 'Survey due'), read: new Date() },
    ]);
    expect(await row(/Build failed/)).toBeVisible();
    expect(screen.queryByRole('row', { name: /Survey due/ })).toBeNull();
    expect(screen.getByRole('button', { name: /\bView$/ })).toHaveTextContent(
      'Unread',
    );
    expect(asked[0]).toEqual({
      limit: 50,
      offset: 0,
      sort: 'created',
      sortOrder: 'desc',
      read: false,
    });
  },
);

it('goes to the last page that exists', async () => {
  const { address } = open(
    '/notifications?page=3',
    Array.from({ length: 51 }, (_, index) =>
      notification(String(index), `Build ${index} failed`),
    ),
  );
  // The table renders its rows again once the page has loaded.
  await waitFor(() =>
    expect(screen.getByRole('row', { name: /Build 50 failed/ })).toBeVisible(),
  );
  expect(address()).toBe('/notifications?page=2');
});

it.each(['/notifications?page=2', '/notifications?q=failed&page=2'])(
  'stays on a page that the list shown before did not have: %s',
  async path => {
    const { address, go } = open(
      '/notifications?q=Build+50',
      Array.from({ length: 60 }, (_, index) =>
        notification(String(index), `Build ${index} failed`),
      ),
    );
    await row(/Build 50 failed/);
    go(path);
    await waitFor(() => expect(screen.getByText('Page 2 of 2')).toBeVisible());
    // The table renders its rows again once the page has loaded.
    await waitFor(() =>
      expect(
        screen.getByRole('row', { name: /Build 59 failed/ }),
      ).toBeVisible(),
    );
    expect(address()).toBe(path);
  },
);
