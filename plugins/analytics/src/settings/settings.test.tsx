import { cleanup, screen, waitFor, within } from '@testing-library/react';
import {
  eventOf,
  FakeEventsApi,
  projectOf,
} from '../__testUtils__/FakeEventsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const settings = '/analytics/settings';

beforeEach(() => localStorage.clear());

describe('the project', () => {
  it('is the one of the demo organisation, the one used last, or the first', async () => {
    const opensOn = async (
      id: string,
      { api = new FakeEventsApi(), path = '/analytics' } = {},
    ) => {
      const { address } = renderPlugin({ api, path });
      await waitFor(() => {
        const search = new URLSearchParams(address().split('?')[1]);
        expect(search.get('project')).toBe(id);
        expect(localStorage.getItem('slipway.analytics.project')).toBe(id);
      });
      cleanup();
    };
    await opensOn('default');
    await opensOn('portal', { path: '/analytics?project=portal' });
    await opensOn('portal');
    const api = new FakeEventsApi();
    api.projects = [...api.projects, projectOf('demo')];
    await opensOn('demo', { api });
    await opensOn('demo', { api, path: '/analytics?project=none' });
  });

  it('is not created twice if its key fails', async () => {
    const api = new FakeEventsApi();
    const createCredential = vi
      .spyOn(api, 'createCredential')
      .mockRejectedValueOnce(new Error('down'));
    const { user, address } = renderPlugin({ api, path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Create project' }),
    );
    const dialog = await screen.findByRole('dialog');
    const create = within(dialog).getByRole('button', {
      name: 'Create project',
    });
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Shop',
    );
    await user.click(create);
    expect(await within(dialog).findByRole('alert')).toBeVisible();
    await user.click(create);
    await waitFor(() => expect(address()).toContain('project=shop'));
    expect(createCredential).toHaveBeenCalledTimes(2);
  });

  it('has the name of the retry if its key failed', async () => {
    const api = new FakeEventsApi();
    vi.spyOn(api, 'createCredential').mockRejectedValueOnce(new Error('down'));
    const { user, address } = renderPlugin({ api, path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Create project' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    const create = dialog.getByRole('button', { name: 'Create project' });
    await user.type(dialog.getByRole('textbox', { name: 'ID' }), 'shop');
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Shpo');
    await user.click(create);
    expect(await dialog.findByRole('alert')).toBeVisible();
    await user.clear(dialog.getByRole('textbox', { name: 'Name' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Shop');
    await user.click(create);
    await waitFor(() => expect(address()).toContain('project=shop'));
    expect(api.projects.find(({ id }) => id === 'shop')?.name).toBe('Shop');
  });

  it('says that the last event could not be loaded', async () => {
    const api = new FakeEventsApi();
    api.query = () => Promise.reject(new Error('down'));
    renderPlugin({ api, path: '/analytics/connect' });
    expect(
      await screen.findByText("Couldn't load the last event"),
    ).toBeVisible();
    expect(screen.queryByText('Waiting for the first event')).toBeNull();
  });

  it('is created with a key, opened, and renamed', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Create project' }),
    );
    const dialog = await screen.findByRole('dialog');
    const create = within(dialog).getByRole('button', {
      name: 'Create project',
    });
    await user.click(create);
    expect(await within(dialog).findByText('Enter a name')).toBeVisible();
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Web shop (été)',
    );
    expect(within(dialog).getByRole('textbox', { name: 'ID' })).toHaveValue(
      'web-shop-ete',
    );
    await user.click(create);
    await waitFor(() => expect(address()).toContain('project=web-shop-ete'));
    expect(api.credentials[0]).toMatchObject({
      kind: 'capture',
      name: 'Default',
    });
    await user.click(await screen.findByRole('button', { name: 'Rename' }));
    const rename = await screen.findByRole('dialog');
    const name = within(rename).getByRole('textbox', { name: 'Name' });
    await user.clear(name);
    await user.type(name, 'Shop');
    await user.click(within(rename).getByRole('button', { name: 'Rename' }));
    await waitFor(() => expect(api.projects.at(-1)?.name).toBe('Shop'));
  });

  it('asks before a shorter retention deletes events', async () => {
    const api = new FakeEventsApi();
    api.projects = [projectOf('web')];
    const { user } = renderPlugin({ api, path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Edit settings' }),
    );
    const dialog = await screen.findByRole('dialog');
    const days = within(dialog).getByRole('textbox', { name: /Keep events/ });
    const save = within(dialog).getByRole('button', { name: 'Save settings' });
    await user.type(days, '0');
    await user.click(save);
    expect(days).toBeInvalid();
    await user.clear(days);
    await user.type(days, '90');
    await user.click(save);
    const agreed = within(dialog).getByRole('checkbox', {
      name: /more than 90 days ago/,
    });
    expect(api.projects[0].retentionDays).toBeNull();
    await user.click(agreed);
    await user.click(save);
    await waitFor(() =>
      expect(api.projects[0]).toMatchObject({
        retentionDays: 90,
        timeZone: 'UTC',
        weekStart: 'sunday',
      }),
    );
  });

  it('is not created with the id of another project', async () => {
    const { user } = renderPlugin({ path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Create project' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Default',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create project' }),
    );
    expect(await within(dialog).findByText(/already exists/)).toBeVisible();
  });

  it('cannot be renamed if the configuration declares it', async () => {
    renderPlugin({ path: settings });
    expect(await screen.findByText(/analytics.projects/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Rename' })).toBeNull();
  });
});

describe('tokens', () => {
  it('are limited to scopes, and expire', async () => {
    const api = new FakeEventsApi();
    const { user } = renderPlugin({ api, path: settings });
    await user.click(
      await screen.findByRole('button', { name: 'Create key or token' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'nightly export',
    );
    await user.click(within(dialog).getByRole('radio', { name: /API token/ }));
    for (const name of ['Run queries', 'Read users']) {
      await user.click(within(dialog).getByRole('checkbox', { name }));
    }
    await user.click(within(dialog).getByRole('button', { name: /Expires/ }));
    await user.click(await screen.findByRole('option', { name: 'In 30 days' }));
    await user.click(
      within(dialog).getByRole('button', { name: 'Create key or token' }),
    );
    await screen.findByText('phc_secret');
    const [{ scopes, expiresAt }] = api.credentials;
    expect(scopes).toEqual(['export']);
    expect(Date.parse(expiresAt!)).toBeGreaterThan(
      Date.now() + 29 * 86_400_000,
    );
  });

  it('get a new secret, which is shown once', async () => {
    const api = new FakeEventsApi();
    api.credentials = [
      {
        id: 'key_9',
        kind: 'query',
        name: 'report',
        hint: 'abcd',
        isConfigured: false,
        createdAt: '2026-11-21T10:00:00.000Z',
      },
      {
        id: 'key_8',
        kind: 'query',
        name: 'old',
        hint: 'efgh',
        isConfigured: false,
        createdAt: '2026-11-20T10:00:00.000Z',
        expiresAt: '2026-11-21T10:00:00.000Z',
      },
    ];
    const { user } = renderPlugin({ api, path: settings });
    const rotate = await screen.findByRole('button', { name: 'Rotate report' });
    expect(screen.queryByRole('button', { name: 'Rotate old' })).toBeNull();
    await user.click(rotate);
    const dialog = await screen.findByRole('dialog', {
      name: 'Rotate report?',
    });
    await user.click(
      within(dialog).getByRole('button', { name: 'Create new secret' }),
    );
    expect(await screen.findByText('phx_fresh')).toBeVisible();
  });
});

describe('connecting a product', () => {
  it('waits for the first event, with the key in the code', async () => {
    const api = new FakeEventsApi();
    api.events = [];
    renderPlugin({ api, path: '/analytics/connect' });
    const guide = await screen.findByRole('region', {
      name: 'Connect a product',
    });
    await within(guide).findByText('Waiting for the first event');
    await waitFor(() =>
      expect(guide).toHaveTextContent("posthog.init('phc_test_key'"),
    );
    expect(guide).toHaveTextContent("new PostHog('phc_test_key'");
    expect(guide).toHaveTextContent('"api_key": "phc_test_key"');
    api.events = [eventOf('signed up', {})];
    expect(
      await within(guide).findByText(/Last event: signed up/),
    ).toBeVisible();
  });

  it('says what to do if no key can be shown', async () => {
    const api = new FakeEventsApi();
    api.credentials = [];
    renderPlugin({ api, path: '/analytics/connect' });
    expect(
      await screen.findByText(/has no key that can be shown/),
    ).toBeVisible();
  });
});
