import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

/** Returns the button that creates a flag, once the permissions of the user have loaded. */
async function createButton(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: 'Create flag' });
  await waitFor(() => expect(button).toBeEnabled());
  return button;
}

describe('ListPage', () => {
  it('lists flags with state, type and usage, and narrows them', async () => {
    const { user, address } = renderPlugin({
      api: createFakeFlagsApi(),
      path: '/flags',
    });
    const table = await screen.findByRole('grid', { name: 'Flags' });
    const row = (name: string) =>
      within(table).getByRole('row', { name: new RegExp(name) });
    await waitFor(() =>
      expect(row('checkout')).toHaveTextContent(/One step.*shop.*Release.*300/),
    );
    expect(row('old-search')).toHaveTextContent(/Stale.*Experiment.*None/);

    await user.type(
      screen.getByRole('searchbox', { name: 'Search flags' }),
      'STEP',
    );
    expect(within(table).queryByRole('row', { name: /old-search/ })).toBeNull();
    expect(address()).toBe('/flags?q=STEP');
  });

  it('shows the stage of each flag, and narrows by it', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path: '/flags' });
    const table = await screen.findByRole('grid', { name: 'Flags' });
    const row = (name: string) =>
      within(table).queryByRole('row', { name: new RegExp(name) });
    await waitFor(() => expect(row('checkout')).toHaveTextContent('Live'));
    expect(row('old-search')).toHaveTextContent('Initial');
    await user.click(screen.getByRole('button', { name: /Stage/ }));
    await user.click(await screen.findByRole('option', { name: 'Live' }));
    expect(row('checkout')).not.toBeNull();
    expect(row('old-search')).toBeNull();
  });

  it('does not say that no flag is in a stage while the stages fail', async () => {
    const api = createFakeFlagsApi();
    await api.refuse('listStages', { status: 500, message: 'No' });
    renderPlugin({ api, path: '/flags?stage=live' });
    expect(await screen.findByText("Couldn't load flags")).toBeVisible();
    expect(screen.queryByText('No matching flags')).toBeNull();
  });

  it('says which flags depend on several before they are archived', async () => {
    const api = createFakeFlagsApi();
    const dependencies = [{ feature: 'checkout', enabled: true }];
    api.put('old-search', { dependencies });
    api.flags = [
      ...api.flags,
      { ...api.flags[0], name: 'one-click', dependencies },
    ];
    const { user } = renderPlugin({ api, path: '/flags' });
    for (const name of [/checkout/, /old-search/]) {
      const row = await screen.findByRole('row', { name });
      await user.click(within(row).getByRole('checkbox'));
    }
    await user.click(screen.getByRole('button', { name: 'Archive' }));
    expect(
      await screen.findByText(
        /These flags depend on them and will be off everywhere: one-click\.$/,
      ),
    ).toBeVisible();
  });

  it('creates a flag in a project that the user owns', async () => {
    const api = createFakeFlagsApi();
    api.projects = [...api.projects, { id: 'pay', name: 'Pay', owner: null }];
    const { user } = renderPlugin({ api, path: '/flags' });
    await user.click(await createButton());
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'new-flag');
    await user.click(dialog.getByRole('button', { name: /Project/ }));
    await user.click(await screen.findByRole('option', { name: 'Pay' }));
    await user.click(dialog.getByRole('button', { name: 'Create flag' }));
    await screen.findByRole('heading', { name: 'new-flag' });
    expect(api.flags.at(-1)).toMatchObject({ project: 'pay' });
  });

  it('offers an owner only their projects', async () => {
    const api = createFakeFlagsApi();
    api.projects = [...api.projects, { id: 'pay', name: 'Pay', owner: null }];
    api.user = { ...api.user, mayChange: false, projects: ['pay'] };
    const { user } = renderPlugin({ api, path: '/flags' });
    await user.click(await createButton());
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.queryByRole('button', { name: /Project/ })).toBeNull();
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'new-flag');
    await user.click(dialog.getByRole('button', { name: 'Create flag' }));
    await waitFor(() =>
      expect(api.flags.at(-1)).toMatchObject({
        name: 'new-flag',
        project: 'pay',
      }),
    );
  });

  it('turns flags on and off in each environment, and asks in production', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path: '/flags' });
    const state = (environment: string) =>
      screen.findByRole('switch', { name: `checkout in ${environment}` });
    expect(await state('development')).toBeChecked();
    await user.click(await state('development'));
    await waitFor(() => expect(api.flags[0].enabled).toBe(false));
    await user.click(await state('production'));
    expect(api.production.enabled).toBe(false);
    await user.click(await screen.findByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(api.production.enabled).toBe(true));
  });

  it('creates a flag after asking for a name that does', async () => {
    const api = createFakeFlagsApi();
    const { user, address } = renderPlugin({ api, path: '/flags' });
    await user.click(await createButton());
    const dialog = await screen.findByRole('dialog', { name: 'Create flag' });
    const create = within(dialog).getByRole('button', { name: 'Create flag' });
    const name = within(dialog).getByRole('textbox', { name: 'Name' });
    await user.type(name, 'a b');
    await user.click(create);
    expect(dialog).toHaveTextContent('Use letters, digits, dots');
    await user.clear(name);
    await user.type(name, 'new-flag');
    await user.click(create);
    expect(
      await screen.findByRole('heading', { name: 'new-flag' }),
    ).toBeVisible();
    expect(address()).toBe('/flags/flag/new-flag');
    expect(api.flags).toHaveLength(3);
  });

  it('offers readers nothing that they may not do', async () => {
    const api = createFakeFlagsApi();
    api.user = { ...api.user, mayChange: false, projects: [] };
    api.flags = [];
    renderPlugin({ api, path: '/flags' });
    expect(await screen.findByText('No flags yet')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Create flag' })).toBeNull();
  });

  it('has no usage while the portal is told not to show it', async () => {
    const api = createFakeFlagsApi();
    const flags = { 'portal.flag-usage': false };
    renderPlugin({ api, path: '/flags', flags });
    expect(await screen.findByRole('grid', { name: 'Flags' })).toBeVisible();
    await waitFor(() =>
      expect(
        screen.queryByRole('columnheader', { name: /Evaluations/ }),
      ).toBeNull(),
    );
  });

  it('says what is down, and reads again', async () => {
    const api = createFakeFlagsApi();
    await api.refuse('listFlags', { status: 504, message: 'proxy' });
    const { user } = renderPlugin({ api, path: '/flags' });
    expect(
      await screen.findByText('The feature flag service is not responding'),
    ).toBeVisible();
    api.recover();
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('grid', { name: 'Flags' })).toBeVisible();
  });
});
