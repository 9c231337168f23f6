import { toastApiRef } from '@backstage/frontend-plugin-api';
import { renderInTestApp } from '@backstage/frontend-test-utils';
import {
  notificationsApiRef,
  type UpdateNotificationsOptions,
} from '@backstage/plugin-notifications';
import { signalApiRef } from '@backstage/plugin-signals-react';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Link, useLocation } from 'react-router-dom';
import { ToastRegion } from '../toasts/ToastRegion';
import { Toasts } from '../toasts/Toasts';
import { NotificationToasts } from './NotificationToasts';

const LINKS: Record<string, string | null> = {
  build: '/builds/shop/3',
  restarted: '/builds/shop/3?tab=log',
  script: 'data:text/html,x',
  // The server's value for a notification without a link.
  nothing: null,
};

/** Ids of notifications about items of the inbox. */
const OF_INBOX = ['failed'];

function Address() {
  return (
    <>
      <output>{useLocation().pathname}</output>
      <Link to="/builds">Builds</Link>
    </>
  );
}

function renderToasts() {
  let signal: (message: object) => void = () => {};
  const updates: UpdateNotificationsOptions[] = [];
  const toasts = new Toasts();
  renderInTestApp(
    <>
      <NotificationToasts />
      <ToastRegion toasts={toasts} />
      <Address />
    </>,
    {
      apis: [
        [toastApiRef, toasts],
        [
          notificationsApiRef,
          {
            getNotification: async (id: string) => ({
              id,
              origin: OF_INBOX.includes(id) ? 'plugin:inbox' : 'feedback',
              payload: { title: `New: ${id}`, link: LINKS[id] },
            }),
            async updateNotifications(update: UpdateNotificationsOptions) {
              updates.push(update);
              return [];
            },
          } as never,
        ],
        [
          signalApiRef,
          {
            subscribe(_channel: string, listener: typeof signal) {
              signal = listener;
              return { unsubscribe() {} };
            },
          } as never,
        ],
      ],
    },
  );
  const arrive = (action: string, id: string) =>
    act(async () => signal({ action, notification_id: id }));
  return { arrive, updates };
}

it('shows a notification that arrives, opens its page and marks it as read', async () => {
  const { arrive, updates } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  await arrive('new_notification', 'build');
  expect(await screen.findByText('New: build')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  expect(await screen.findByText('/builds/shop/3')).toBeVisible();
  expect(updates).toEqual([{ ids: ['build'], read: true }]);
  expect(screen.queryByText('New: build')).toBeNull();
});

it('says nothing of notifications that were read, and opens no scripts', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  await arrive('notification_read', 'build');
  await arrive('new_notification', 'script');
  expect(await screen.findByText('New: script')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'View' })).toBeNull();
  expect(screen.queryByText('New: build')).toBeNull();
});

it('shows no toast on the page that a notification is about', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  await arrive('new_notification', 'build');
  await userEvent.click(await screen.findByRole('button', { name: 'View' }));
  await screen.findByText('/builds/shop/3');
  await arrive('new_notification', 'restarted');
  await arrive('new_notification', 'nothing');
  expect(await screen.findByText('New: nothing')).toBeVisible();
  expect(screen.queryByText('New: restarted')).toBeNull();
});

it('shows no toast on Home about an item that Home lists', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  await arrive('new_notification', 'failed');
  await arrive('new_notification', 'nothing');
  expect(await screen.findByText('New: nothing')).toBeVisible();
  expect(screen.queryByText('New: failed')).toBeNull();
  await userEvent.click(screen.getByRole('link', { name: 'Builds' }));
  await arrive('new_notification', 'failed');
  expect(await screen.findByText('New: failed')).toBeVisible();
});

it('shows one toast for many that arrive together, which leads to the list', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  for (const id of ['a', 'b', 'b', 'c', 'failed']) {
    await arrive('new_notification', id);
  }
  expect(await screen.findByText('3 new notifications')).toBeVisible();
  expect(screen.queryByText('New: a')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  expect(await screen.findByText('/notifications')).toBeVisible();
  // The list itself shows what arrives now.
  await arrive('new_notification', 'nothing');
  await new Promise(resolve => setTimeout(resolve, 500));
  expect(screen.queryByText('New: nothing')).toBeNull();
});

it('does not wait for the end of notifications that keep arriving', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  const isShown = () => screen.queryByText(/new notifications/) !== null;
  for (let count = 0; count < 50 && !isShown(); count++) {
    await arrive('new_notification', `late-${count}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  expect(isShown()).toBe(true);
});

it('offers nothing to view for a notification without an address', async () => {
  const { arrive } = renderToasts();
  await screen.findByRole('region', { name: 'Messages' });
  await arrive('new_notification', 'nothing');
  expect(await screen.findByText('New: nothing')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'View' })).toBeNull();
});
