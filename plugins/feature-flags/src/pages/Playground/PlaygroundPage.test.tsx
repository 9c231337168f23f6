import type { AnalyticsEvent } from '@backstage/frontend-plugin-api';
import { screen, waitFor, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

const path = '/flags/playground';
const asked = `${path}?environments=development%2Cproduction&userId=ada%2C+bob`;

const findTable = () => screen.findByRole('grid', { name: 'Results' });

describe('PlaygroundPage', () => {
  it('evaluates all flags for what the form asks, and keeps it in the URL', async () => {
    const api = createFakeFlagsApi();
    api.projects = [...api.projects, { id: 'pay', name: 'Pay', owner: null }];
    const { user, address } = renderPlugin({ api, path });
    expect(await screen.findByText('No results yet')).toBeVisible();
    expect(api.evaluated).toEqual([]);
    expect(
      await screen.findByText(/Fields: region \(eu, us\)\./),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Project/ }));
    await user.click(await screen.findByRole('option', { name: 'Default' }));
    await user.click(screen.getByRole('checkbox', { name: 'production' }));
    await user.click(screen.getByRole('textbox', { name: 'User IDs' }));
    await user.paste('ada, bob');
    await user.click(screen.getByRole('textbox', { name: 'Context fields' }));
    await user.paste('region=eu,us\nplan = gold');
    expect(api.evaluated).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Evaluate' }));
    const table = await findTable();
    expect(api.evaluated).toEqual([
      {
        environments: ['development'],
        projects: ['default'],
        context: { userId: 'ada, bob', region: 'eu,us', plan: 'gold' },
      },
    ]);
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Flag', 'ada', 'bob']);
    expect(
      within(table).getByRole('link', { name: 'checkout, ada: On' }),
    ).toBeVisible();
    expect(
      within(table).getByRole('link', { name: 'checkout, bob: Off' }),
    ).toBeVisible();
    expect(address()).toBe(
      '/flags/playground?project=default&environments=development&userId=ada%2C+bob&fields=region%3Deu%2Cus%0Aplan+%3D+gold',
    );
  });

  it('shows the query and the results of a shared address, and evaluates again', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({ api, path: asked });
    const table = await findTable();
    expect(screen.getByRole('textbox', { name: 'User IDs' })).toHaveValue(
      'ada, bob',
    );
    expect(screen.getByRole('checkbox', { name: 'production' })).toBeChecked();
    expect(
      within(table).getByRole('link', {
        name: 'checkout, production · bob: Off',
      }),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Evaluate' }));
    await waitFor(() => expect(api.evaluated).toHaveLength(2));
    expect(api.evaluated[1]).toEqual(api.evaluated[0]);
  });

  it('marks random results, and explains them', async () => {
    const api = createFakeFlagsApi();
    api.random.add('checkout');
    api.tryOutResult = { ...api.tryOutResult, random: true };
    const { user } = renderPlugin({
      api,
      path: `${path}?environments=development`,
    });
    await user.click(
      within(await findTable()).getByRole('link', {
        name: 'checkout, development: On (random)',
      }),
    );
    expect(await screen.findByText(/Random: give a user ID/)).toBeVisible();
  });

  it('narrows flags by name and by what differs', async () => {
    const api = createFakeFlagsApi();
    const { user, address } = renderPlugin({ api, path: asked });
    const table = await findTable();
    const row = (name: string) =>
      within(table).queryByRole('row', { name: new RegExp(name) });
    expect(row('old-search')).not.toBeNull();
    await user.click(screen.getByRole('button', { name: /^Any result/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Different between columns' }),
    );
    await waitFor(() => expect(row('old-search')).toBeNull());
    expect(row('checkout')).not.toBeNull();
    expect(screen.getByText('1 of 2 flags')).toBeVisible();
    expect(address()).toBe(`${asked}&show=different`);
    await user.click(screen.getByRole('searchbox', { name: 'Search flags' }));
    await user.paste('nothing');
    expect(await screen.findByText('No matching flags')).toBeVisible();
  });

  it('explains a result in a panel with an address, and any other of the flag', async () => {
    const api = createFakeFlagsApi();
    api.variants.set('checkout', 'red');
    const tryOut = vi.spyOn(api, 'tryOut');
    const { user, address } = renderPlugin({ api, path: asked });
    const table = await findTable();
    await user.click(
      within(table).getByRole('link', {
        name: 'checkout, development · bob: Off',
      }),
    );
    const panel = await screen.findByRole('complementary', {
      name: 'checkout',
    });
    expect(await within(panel).findByText(/A rule matches\./)).toBeVisible();
    expect(address()).toBe(`${asked.replace(path, `${path}/checkout`)}&at=1`);
    expect(tryOut).toHaveBeenLastCalledWith(
      expect.objectContaining({ name: 'checkout', project: 'default' }),
      expect.objectContaining({
        environment: 'development',
        context: { userId: 'bob', properties: {} },
      }),
      expect.anything(),
    );
    await user.click(within(panel).getByRole('button', { name: /Result/ }));
    await user.click(
      await screen.findByRole('option', {
        name: 'development · ada: On · red',
      }),
    );
    await waitFor(() =>
      expect(tryOut).toHaveBeenLastCalledWith(
        expect.anything(),
        expect.objectContaining({
          context: { userId: 'ada', properties: {} },
        }),
        expect.anything(),
      ),
    );
    expect(
      within(panel).getByRole('link', { name: 'View flag' }),
    ).toHaveAttribute('href', '/flags/flag/checkout');
    await user.click(within(panel).getByRole('button', { name: 'Close' }));
    await waitFor(() => {
      expect(address()).toMatch(/^\/flags\/playground\?/);
      expect(
        screen.queryByRole('complementary', { name: 'checkout' }),
      ).toBeNull();
    });
  });

  it('shows no reasons of another result while one is evaluated', async () => {
    const api = createFakeFlagsApi();
    const { user } = renderPlugin({
      api,
      path: `${asked.replace(path, `${path}/checkout`)}&at=0`,
    });
    const panel = await screen.findByRole('complementary', {
      name: 'checkout',
    });
    expect(await within(panel).findByText(/A rule matches\./)).toBeVisible();
    vi.spyOn(api, 'tryOut').mockReturnValue(new Promise(() => {}));
    await user.click(within(panel).getByRole('button', { name: /Result/ }));
    await user.click(
      await screen.findByRole('option', { name: 'development · bob: Off' }),
    );
    await waitFor(() =>
      expect(within(panel).queryByText(/A rule matches\./)).toBeNull(),
    );
  });

  it('keeps the ids of users out of analytics', async () => {
    const events: AnalyticsEvent[] = [];
    const { user } = renderPlugin({
      api: createFakeFlagsApi(),
      path: asked,
      analytics: { captureEvent: event => events.push(event) },
    });
    const table = await findTable();
    await user.click(
      within(table).getByRole('link', {
        name: 'checkout, development · ada: On',
      }),
    );
    await screen.findByRole('complementary', { name: 'checkout' });
    await user.click(within(table).getByRole('link', { name: 'old-search' }));
    const panel = await screen.findByRole('complementary', {
      name: 'old-search',
    });
    await user.click(within(panel).getByRole('link', { name: 'View flag' }));
    await waitFor(() =>
      expect(events).toContainEqual(
        expect.objectContaining({ action: 'click', subject: 'View flag' }),
      ),
    );
    const clicks = events.filter(({ action }) => action === 'click');
    expect(JSON.stringify(clicks)).not.toMatch(/ada|bob/);
  });

  it('says that a flag of the address is missing', async () => {
    renderPlugin({
      api: createFakeFlagsApi(),
      path: `${path}/gone?environments=development`,
    });
    expect(await screen.findByText('Flag not found')).toBeVisible();
  });

  it('shows a few of many columns, and says how many there are', async () => {
    const api = createFakeFlagsApi();
    const users = Array.from({ length: 12 }, (_, index) => `u${index}`);
    renderPlugin({
      api,
      path: `${path}?environments=development&userId=${users.join(',')}`,
    });
    expect(
      await screen.findByText(/^8 of 12 columns are shown\./),
    ).toBeVisible();
  });

  describe('on a phone', () => {
    beforeEach(() => window.setWide(false));
    afterEach(() => window.setWide(true));

    it.each([
      ['as many results as there is room for', '', ['Flag', 'ada', 'bob']],
      [
        'the results that the user has chosen',
        '&columns=name,result-3,result-4',
        ['Flag', 'dan', 'eve'],
      ],
    ])('shows %s', async (_, columns, expected) => {
      renderPlugin({
        api: createFakeFlagsApi(),
        path: `${path}?environments=development&userId=ada,bob,cy,dan,eve${columns}`,
      });
      const heads = within(await findTable()).getAllByRole('columnheader');
      expect(heads.map(({ textContent }) => textContent)).toEqual(expected);
      expect(screen.queryAllByText(/^2 of 5 columns are shown\./)).toHaveLength(
        columns ? 0 : 1,
      );
    });
  });

  it('says that the form could not be loaded, and loads it again', async () => {
    const api = createFakeFlagsApi();
    await api.refuse('listProjects', { status: 400, message: 'down' });
    const { user } = renderPlugin({ api, path });
    expect(
      await screen.findByText("Couldn't load the playground"),
    ).toBeVisible();
    api.recover();
    await user.click(screen.getByRole('button', { name: /Retry/ }));
    expect(
      await screen.findByRole('button', { name: 'Evaluate' }),
    ).toBeVisible();
  });

  it('says what the service refuses, and evaluates again', async () => {
    const api = createFakeFlagsApi();
    const message = 'context must not make more than 30000 results';
    await api.refuse('evaluateFlags', { status: 400, message });
    const { user } = renderPlugin({ api, path: asked });
    expect(await screen.findByText("Couldn't evaluate flags")).toBeVisible();
    expect(screen.getByText(message)).toBeVisible();
    api.recover();
    await user.click(screen.getByRole('button', { name: 'Evaluate' }));
    expect(await findTable()).toBeVisible();
  });
});
