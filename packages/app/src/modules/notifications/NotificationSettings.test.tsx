import notificationsPlugin from '@backstage/plugin-notifications/alpha';
import userSettingsPlugin from '@backstage/plugin-user-settings/alpha';
import { notificationsApiRef } from '@backstage/plugin-notifications';
import type { NotificationSettings as Settings } from '@backstage/plugin-notifications-common';
import { renderPages } from '@slipway/test-pages';
import { screen, waitFor } from '@testing-library/react';
import { notificationsModule } from './notificationsModule';

const channel = (id: string) => ({
  id,
  origins: [
    {
      id: 'plugin:inbox',
      enabled: true,
      topics: [
        { id: 'build-failed', enabled: true },
        { id: 'flag-stale', enabled: false },
      ],
    },
    {
      id: 'someone-else',
      enabled: false,
      topics: [{ id: 'x', enabled: true }],
    },
  ],
});

/** Keeps the settings in memory. */
class FakeSettings {
  failure: Error | undefined;
  constructor(public settings: Settings) {}

  async getNotificationSettings(): Promise<Settings> {
    if (this.failure) {
      throw this.failure;
    }
    return structuredClone(this.settings);
  }

  async updateNotificationSettings(next: Settings): Promise<Settings> {
    if (this.failure) {
      throw this.failure;
    }
    this.settings = structuredClone(next);
    return next;
  }
}

function open(settings: Settings, failure?: Error) {
  const api = new FakeSettings(settings);
  api.failure = failure;
  const { user } = renderPages({
    path: '/settings/notifications',
    features: [userSettingsPlugin, notificationsPlugin, notificationsModule],
    apis: [[notificationsApiRef, api as never]],
  });
  return { api, user };
}

it('turns a topic of a source on and off for one channel', async () => {
  const { api, user } = open({
    channels: [channel('Web'), channel('SlackNotificationProcessor')],
  });
  const builds = await screen.findByRole('switch', {
    name: 'Failed builds: Slack',
  });
  expect(builds).toBeChecked();
  await user.click(builds);
  await waitFor(() => expect(builds).not.toBeChecked());
  const [web, slack] = api.settings.channels;
  expect(web).toEqual(channel('Web'));
  expect(slack.origins[0]).toEqual({
    id: 'plugin:inbox',
    enabled: true,
    topics: [
      { id: 'build-failed', enabled: false },
      { id: 'flag-stale', enabled: false },
    ],
  });
});

it('turns a source off with all its topics', async () => {
  const { api, user } = open({ channels: [channel('Web')] });
  await user.click(
    await screen.findByRole('switch', {
      name: 'Needs you: In the portal',
    }),
  );
  await waitFor(() =>
    expect(
      screen.getByRole('switch', { name: 'Failed builds: In the portal' }),
    ).toBeDisabled(),
  );
  expect(api.settings.channels[0].origins[0]).toMatchObject({
    enabled: false,
    topics: [{ enabled: false }, { enabled: false }],
  });
  expect(
    screen.getByRole('switch', { name: 'x: In the portal' }),
  ).not.toBeChecked();
});

it('keeps the former choice if it could not be saved', async () => {
  const { api, user } = open({ channels: [channel('Email')] });
  const stale = await screen.findByRole('switch', {
    name: 'Stale flags: Email',
  });
  api.failure = new Error('down');
  await user.click(stale);
  expect(await screen.findByText("Couldn't save the settings")).toBeVisible();
  expect(
    screen.getByRole('switch', { name: 'Stale flags: Email' }),
  ).not.toBeChecked();
});

it('stores one choice after the other', async () => {
  const { api, user } = open({ channels: [channel('Web')] });
  const store = api.updateNotificationSettings.bind(api);
  const waiting: (() => void)[] = [];
  let begun = 0;
  api.updateNotificationSettings = async next => {
    begun += 1;
    await new Promise<void>(resolve => waiting.push(resolve));
    return store(next);
  };
  const [failed, stale] = await Promise.all(
    ['Failed builds', 'Stale flags'].map(topic =>
      screen.findByRole('switch', { name: `${topic}: In the portal` }),
    ),
  );
  await user.click(failed);
  await waitFor(() => expect(failed).not.toBeChecked());
  await user.click(stale);
  await waitFor(() => expect(stale).toBeChecked());
  expect(begun).toBe(1);
  waiting.shift()!();
  await waitFor(() => expect(begun).toBe(2));
  waiting.shift()!();
  await waitFor(() =>
    expect(api.settings.channels[0].origins[0].topics).toEqual([
      { id: 'build-failed', enabled: false },
      { id: 'flag-stale', enabled: true },
    ]),
  );
});

it('keeps a choice made elsewhere, and the next one if one could not be saved', async () => {
  const { api, user } = open({ channels: [channel('Web')] });
  const [failed, stale] = await Promise.all(
    ['Failed builds', 'Stale flags'].map(topic =>
      screen.findByRole('switch', { name: `${topic}: In the portal` }),
    ),
  );
  // Simulates a change in another tab.
  api.settings.channels[0].origins[1].enabled = true;
  const store = api.updateNotificationSettings.bind(api);
  const waiting: { succeed(): void; fail(): void }[] = [];
  api.updateNotificationSettings = async next => {
    await new Promise<void>((succeed, reject) =>
      waiting.push({ succeed, fail: () => reject(new Error('down')) }),
    );
    return store(next);
  };
  await user.click(failed);
  await user.click(stale);
  await waitFor(() => expect(waiting).toHaveLength(1));
  expect(failed).not.toBeChecked();
  expect(stale).toBeChecked();
  waiting[0].fail();
  expect(await screen.findByText("Couldn't save the settings")).toBeVisible();
  await waitFor(() => expect(waiting).toHaveLength(2));
  waiting[1].succeed();
  await waitFor(() =>
    expect(api.settings.channels[0].origins).toMatchObject([
      {
        topics: [
          { id: 'build-failed', enabled: true },
          { id: 'flag-stale', enabled: true },
        ],
      },
      { enabled: true },
    ]),
  );
  await waitFor(() => expect(failed).toBeChecked());
  expect(stale).toBeChecked();
  expect(screen.getByText("Couldn't save the settings")).toBeVisible();
});

it('says that there is nothing to choose yet', async () => {
  open({ channels: [{ id: 'Web', origins: [] }] });
  expect(await screen.findByText('No notifications yet')).toBeVisible();
});

it('says that the settings could not be loaded, and tries again', async () => {
  const { api, user } = open({ channels: [channel('Web')] }, new Error('down'));
  expect(await screen.findByText("Couldn't load the settings")).toBeVisible();
  api.failure = undefined;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Failed builds')).toBeVisible();
});
