import { refusal } from '@slipway/test-pages';
import { act, screen, waitFor, within } from '@testing-library/react';
import { eventOf, FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { InsightQuery } from '../api/InsightQuery';

/** Builds an insight that counts an event. */
const trendOf = (event: string): InsightQuery => ({
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event }],
});

describe('live events', () => {
  it('shows arriving events automatically, and one event in full', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: '/analytics' });
    await screen.findByRole('row', { name: /signed up/ });
    api.events = [eventOf('came later', { page: 'x' }), ...api.events];
    const row = await screen.findByRole('row', { name: /came later/ });
    await user.click(row);
    const panel = await screen.findByRole('complementary', {
      name: 'came later',
    });
    expect(within(panel).getByText('x')).toBeVisible();
    expect(address()).toContain('id=');
    expect(screen.getByRole('row', { selected: true })).toBe(row);
  });

  it('keeps an event open that newer ones displace', async () => {
    const api = new FakeEventsApi();
    const [first] = api.events;
    const { user } = renderPlugin({ api, path: '/analytics' });
    await user.click(
      await screen.findByRole('row', { name: new RegExp(first.event) }),
    );
    const panel = { name: first.event };
    await screen.findByRole('complementary', panel);
    api.events = [eventOf('came later', {})];
    await screen.findByRole('row', { name: /came later/ });
    expect(screen.getByRole('complementary', panel)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('opens an event that is too old for the list by its URL, and says if there is none', async () => {
    const api = new FakeEventsApi();
    const old = eventOf('long ago', { page: 'x' });
    api.older = [old];
    const { go } = renderPlugin({ api, path: `/analytics?id=${old.uuid}` });
    const panel = await screen.findByRole('complementary', {
      name: 'long ago',
    });
    expect(within(panel).getByText('x')).toBeVisible();
    go(`/analytics?id=${crypto.randomUUID()}`);
    expect(await screen.findByText('Event not found')).toBeVisible();
  });

  it('links an event to its user, if there may be one to see', async () => {
    const api = new FakeEventsApi();
    api.events = [
      eventOf('known', {}),
      eventOf('visited', { $process_person_profile: false }),
    ];
    const { user, go } = renderPlugin({ api, path: '/analytics' });
    const open = async (name: string) => {
      await user.click(
        await screen.findByRole('row', { name: new RegExp(name) }),
      );
      return within(await screen.findByRole('complementary', { name }));
    };
    expect(
      (await open('known')).getByRole('link', { name: 'user-1' }),
    ).toHaveAttribute(
      'href',
      expect.stringContaining('/analytics/users?project=default&user=user-1'),
    );
    expect((await open('visited')).queryByRole('link')).toBeNull();
    go('/analytics?project=portal');
    expect((await open('known')).queryByRole('link')).toBeNull();
  });

  it('explains how to connect a product while there are no events', async () => {
    const api = new FakeEventsApi();
    api.events = [];
    renderPlugin({ api, path: '/analytics' });
    expect(
      await screen.findByRole('region', { name: 'Connect a product' }),
    ).toHaveTextContent('posthog-node');
  });
});

describe('query', () => {
  it('keeps the query in the URL and shows the result', async () => {
    const api = new FakeEventsApi();
    const { user, address } = renderPlugin({ api, path: '/analytics/query' });
    const columns = await screen.findByRole('textbox', { name: 'Columns' });
    await user.clear(columns);
    await user.type(columns, "event, uniq(properties[['a, b'])");
    await user.click(screen.getByRole('button', { name: 'Run' }));
    await waitFor(() => expect(address()).toContain('columns='));
    await waitFor(() =>
      expect(api.asked.at(-1)?.select).toEqual([
        'event',
        "uniq(properties['a, b'])",
      ]),
    );
    expect(await screen.findByRole('row', { name: /signed up/ })).toBeVisible();
  });

  it.each([
    ["query.select.1 names 'x'", "Column 2 names 'x'"],
    ['query.where.0 needs a comparison', 'The filter needs a comparison'],
    ['query.after is later', 'query.after is later'],
  ])('shows why a query is invalid: %s', async (message, shown) => {
    const api = new FakeEventsApi();
    api.failure = await refusal(400, message);
    renderPlugin({ api, path: '/analytics/query' });
    expect(await screen.findByRole('alert')).toHaveTextContent(shown);
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('offers a retry if the service failed', async () => {
    const api = new FakeEventsApi();
    api.failure = await refusal(500);
    renderPlugin({ api, path: '/analytics/query' });
    expect(await screen.findByText('Query failed')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Retry' })).toBeVisible();
  });
});

describe('insights', () => {
  it('show a number for each day, and keep the query in the URL', async () => {
    const insights = new FakeInsightsApi();
    const { user, address } = renderPlugin({
      insights,
      path: '/analytics/insights',
    });
    expect(
      await screen.findByRole('region', { name: 'All events' }),
    ).toHaveTextContent('21 Nov 2026');

    const by = screen.getByRole('combobox', { name: 'Break down by' });
    await user.type(by, 'plan');
    await user.tab();
    expect(
      await screen.findByRole('region', { name: 'No value' }),
    ).toBeVisible();
    expect(address()).toContain('by=plan');
    expect(insights.asked.at(-1)).toEqual({
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode' }],
      interval: 'day',
      dateRange: { date_from: '-30d' },
      breakdownFilter: { breakdown: 'plan' },
    });
  });

  it('follow users through steps, and can be saved and opened by their URL', async () => {
    const insights = new FakeInsightsApi();
    const { user, address } = renderPlugin({
      insights,
      path: '/analytics/insights?kind=FunnelsQuery&events=signed%20up%0Abought',
    });
    const funnel = await screen.findByRole('table', { name: 'Funnel' });
    expect(funnel).toHaveTextContent('1. signed up');
    expect(funnel).toHaveTextContent('2. bought');
    expect(insights.asked.at(-1)).toMatchObject({
      kind: 'FunnelsQuery',
      series: [{ event: 'signed up' }, { event: 'bought' }],
      funnelsFilter: { funnelWindowInterval: 14 },
    });
    await user.click(screen.getByRole('button', { name: 'Save insight' }));
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Purchases',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Save insight' }),
    );
    expect(
      await screen.findByRole('heading', { name: 'Purchases' }),
    ).toBeVisible();
    expect(address()).toContain('insight=i1');
    expect(address()).toContain('kind=FunnelsQuery');
    expect(screen.getByRole('link', { name: 'Purchases' })).toBeVisible();
  });

  it('are shown one after another by addresses that name only them', async () => {
    const insights = new FakeInsightsApi();
    for (const event of ['signed up', 'bought']) {
      await insights.createInsight('default', {
        name: `All ${event}`,
        query: trendOf(event),
      });
    }
    const path = '/analytics/insights?project=default&insight=';
    const { address, go } = renderPlugin({ insights, path: `${path}i1` });
    await screen.findByRole('region', { name: 'signed up' });
    go(`${path}i2`);
    expect(await screen.findByRole('region', { name: 'bought' })).toBeVisible();
    expect(address()).toContain('events=bought');
  });

  it('are saved over the version that was opened, not over one of others', async () => {
    const insights = new FakeInsightsApi();
    const query = trendOf('bought');
    await insights.createInsight('default', { name: 'Purchases', query });
    const [saved] = insights.insights;
    const over: number[] = [];
    insights.changeInsight = async (_projectId, { version }) => {
      over.push(version);
      return saved;
    };
    const path = '/analytics/insights?project=default&insight=i1';
    const { user, address, go } = renderPlugin({ insights, path });
    await screen.findByRole('region', { name: 'bought' });
    insights.insights = [
      {
        ...saved,
        version: 2,
        name: 'Theirs',
        query: { ...query, interval: 'week' as const },
      },
    ];
    const save = async () => {
      await user.click(screen.getByRole('button', { name: 'Save insight' }));
      await user.click(
        within(await screen.findByRole('dialog')).getByRole('button', {
          name: 'Save insight',
        }),
      );
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    // Saving refetches everything.
    await save();
    await waitFor(() => expect(over).toEqual([1]));
    await screen.findByRole('heading', { name: 'Theirs' });
    await save();
    await waitFor(() => expect(over).toEqual([1, 1]));
    // Open the current version.
    go(path);
    await waitFor(() => expect(address()).toContain('interval=week'));
    await save();
    await waitFor(() => expect(over).toEqual([1, 1, 2]));
  });

  it.each([
    ['RetentionQuery', 'table', 'Retention', '50%'],
    ['PathsQuery', 'grid', 'Paths', '/pricing'],
    // The share of the visits at that step: 210 of 300.
    ['PathsQuery', 'grid', 'Paths', '70%'],
  ])('of the kind %s are a %s', async (kind, role, name, text) => {
    renderPlugin({ path: `/analytics/insights?kind=${kind}` });
    const table = await screen.findByRole(role, { name });
    expect(table).toHaveTextContent(text);
  });

  it('show why a query is invalid', async () => {
    const insights = new FakeInsightsApi();
    insights.failure = new Error('query.series is required');
    renderPlugin({ insights, path: '/analytics/insights' });
    expect(await screen.findByText('Query failed')).toBeVisible();
  });
});

describe('dashboards', () => {
  it('are created, and show the insights that are added', async () => {
    const insights = new FakeInsightsApi();
    await insights.createInsight('default', {
      name: 'Visits',
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
    });
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    await user.click(
      await screen.findByRole('button', { name: 'Create dashboard' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'Overview',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create dashboard' }),
    );
    await user.click(
      await screen.findByRole('button', { name: /Add insight/ }),
    );
    await user.click(await screen.findByRole('option', { name: 'Visits' }));
    const tile = await screen.findByRole('region', { name: 'Visits' });
    await waitFor(() => expect(tile).toHaveTextContent('21 Nov 2026'));
    expect(
      within(tile).getByRole('link', { name: 'Open Visits' }),
    ).toHaveAttribute('href', expect.stringContaining('insight=i1'));
    await user.click(
      within(tile).getByRole('button', { name: 'Remove Visits' }),
    );
    expect(await screen.findByText('No insights')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByRole('region', { name: 'Visits' })).toBeVisible();
  });

  it('take back a removed tile even if another one is shown', async () => {
    const insights = new FakeInsightsApi();
    await insights.createInsight('default', {
      name: 'Visits',
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
    });
    for (const [name, tiles] of [
      ['Overview', ['i1']],
      ['Sales', []],
    ] as const) {
      await insights.createDashboard('default', { name, tiles: [...tiles] });
    }
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    await user.click(
      await screen.findByRole('button', { name: 'Remove Visits' }),
    );
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await user.click(
      await screen.findByRole('button', { name: /Overview Dashboard/ }),
    );
    await user.click(await screen.findByRole('option', { name: 'Sales' }));
    await screen.findByRole('button', { name: /Sales Dashboard/ });
    await user.click(undo);
    await waitFor(() => expect(insights.dashboards[0].tiles).toEqual(['i1']));
    expect(insights.dashboards[1].tiles).toEqual([]);
  });

  it('get an insight from its own page', async () => {
    const insights = new FakeInsightsApi();
    for (const name of ['Visits', 'Orders']) {
      await insights.createInsight('default', {
        name,
        query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
      });
    }
    for (const [name, tiles] of [
      ['Overview', ['i1', 'i2']],
      ['Sales', ['i2']],
    ] as const) {
      await insights.createDashboard('default', { name, tiles: [...tiles] });
    }
    const { user, address } = renderPlugin({
      insights,
      path: '/analytics/insights?insight=i1',
    });
    await user.click(
      await screen.findByRole('button', { name: 'Add to dashboard' }),
    );
    expect(
      screen.getAllByRole('menuitem').map(each => each.textContent),
    ).toEqual(['Sales']);
    await user.click(screen.getByRole('menuitem', { name: 'Sales' }));
    expect(await screen.findByText('Added to Sales')).toBeVisible();
    expect(insights.dashboards[1].tiles).toEqual(['i2', 'i1']);
    // All dashboards show it now.
    expect(
      screen.queryByRole('button', { name: /Add to dashboard/ }),
    ).toBeNull();
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Visits' })).toHaveFocus(),
    );
    await user.click(screen.getByRole('button', { name: 'View dashboard' }));
    expect(address()).toContain('dashboard=d2');
  });

  it('are not renamed over a version that someone else saved meanwhile', async () => {
    const insights = new FakeInsightsApi();
    const made = await insights.createDashboard('default', {
      name: 'Overview',
      tiles: [],
    });
    const over: number[] = [];
    insights.changeDashboard = async (_projectId, { version }) => {
      over.push(version);
      insights.dashboards = [{ ...made, name: 'Theirs', version: 2 }];
      throw new Error('The dashboard has been changed in the meantime');
    };
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    await user.click(
      await screen.findByRole('button', { name: 'Rename dashboard' }),
    );
    const dialog = await screen.findByRole('dialog');
    const name = within(dialog).getByRole('textbox', { name: 'Name' });
    await user.type(name, ' 2');
    const save = within(dialog).getByRole('button', {
      name: 'Rename dashboard',
    });
    await user.click(save);
    // Everything is refetched after the failure.
    await screen.findByRole('button', { name: /Theirs/, hidden: true });
    await user.click(save);
    await waitFor(() => expect(over).toEqual([1, 1]));
  });

  it('keep a tile whose insight is not known yet when another one is moved', async () => {
    const insights = new FakeInsightsApi();
    for (const name of ['Visits', 'Sales']) {
      await insights.createInsight('default', {
        name,
        query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
      });
    }
    const tiles = ['i1', 'new', 'i2'];
    await insights.createDashboard('default', { name: 'Overview', tiles });
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    const move = async (name: string, expected: string) => {
      const button = await waitFor(() => {
        const found = screen.getByRole('button', { name });
        // The button may be disabled until the previous move is shown.
        expect(found).toBeEnabled();
        return found;
      });
      await user.click(button);
      await waitFor(() =>
        expect(insights.dashboards[0].tiles.join(' ')).toBe(expected),
      );
    };
    await move('Move Visits later', 'new i2 i1');
    await move('Move Visits earlier', 'new i1 i2');
  });

  it('are renamed, and their tiles are moved with the keyboard', async () => {
    const insights = new FakeInsightsApi();
    for (const name of ['Visits', 'Sales', 'Users']) {
      await insights.createInsight('default', {
        name,
        query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode' }] },
      });
    }
    const tiles = ['i1', 'i2', 'i3'];
    await insights.createDashboard('default', { name: 'Overview', tiles });
    const { user, address } = renderPlugin({
      insights,
      path: '/analytics/dashboards',
    });
    const order = () => insights.dashboards[0].tiles.join(' ');
    const later = () =>
      screen.getByRole('button', { name: 'Move Visits later' });
    await screen.findByRole('region', { name: 'Visits' });
    expect(
      screen.getByRole('button', { name: 'Move Visits earlier' }),
    ).toBeDisabled();
    act(() => later().focus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(order()).toBe('i2 i1 i3'));
    expect(await screen.findByText('Visits is now 2 of 3')).toBeVisible();
    await waitFor(() => expect(later()).toHaveFocus());
    await user.keyboard('{Enter}');
    await waitFor(() => expect(order()).toBe('i2 i3 i1'));
    await screen.findByText('Visits is now 3 of 3');
    // The tile is at the end, so the opposite button has the focus.
    await waitFor(() =>
      expect(
        screen.getByRole('button', { name: 'Move Visits earlier' }),
      ).toHaveFocus(),
    );
    expect(
      screen
        .getAllByRole('link', { name: /^Open / })
        .map(link => link.getAttribute('aria-label')),
    ).toEqual(['Open Sales', 'Open Users', 'Open Visits']);

    await user.click(screen.getByRole('button', { name: 'Rename dashboard' }));
    const dialog = await screen.findByRole('dialog');
    const name = within(dialog).getByRole('textbox', { name: 'Name' });
    expect(name).toHaveValue('Overview');
    await user.clear(name);
    await user.type(name, 'Shop');
    await user.click(
      within(dialog).getByRole('button', { name: 'Rename dashboard' }),
    );
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(insights.dashboards).toMatchObject([
      { name: 'Shop', tiles: ['i2', 'i3', 'i1'] },
    ]);
    expect(address()).toContain('dashboard=d1');
  });

  it('of others can only be viewed', async () => {
    const insights = new FakeInsightsApi();
    const query = { kind: 'TrendsQuery' };
    await insights.createInsight('default', { name: 'Visits', query });
    await insights.createDashboard('default', { name: 'All', tiles: ['i1'] });
    insights.dashboards = insights.dashboards.map(each => ({
      ...each,
      may_change: false,
    }));
    renderPlugin({ insights, path: '/analytics/dashboards' });
    await screen.findByRole('region', { name: 'Visits' });
    expect(screen.queryByRole('button', { name: /^Move / })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Rename / })).toBeNull();
  });
});

describe('web', () => {
  it('shows visitors, sources and pages', async () => {
    renderPlugin({ path: '/analytics/web' });
    expect(
      await screen.findByRole('group', { name: 'Bounce rate' }),
    ).toHaveTextContent('41%');
    expect(
      screen.getByText('12% more than in the previous period (better)'),
    ).toBeVisible();
    expect(screen.getByRole('group', { name: 'Sessions' })).toHaveTextContent(
      'About the same as in the previous period',
    );
    expect(
      await screen.findByRole('grid', { name: 'Sources' }),
    ).toHaveTextContent('Direct');
    expect(screen.getByRole('grid', { name: 'Pages' })).toHaveTextContent(
      '/pricing',
    );
    expect(
      await screen.findByText('4 visitors in the last 5 minutes'),
    ).toBeVisible();
  });

  it('does not show the numbers of another period while one loads', async () => {
    const insights = new FakeInsightsApi();
    const { user } = renderPlugin({ insights, path: '/analytics/web' });
    await screen.findByText('41%');
    insights.ask = () => new Promise(() => {});
    await user.click(screen.getByRole('button', { name: /7 days/ }));
    await user.click(await screen.findByRole('option', { name: /30 days/ }));
    await waitFor(() => expect(screen.queryByText('41%')).toBeNull());
  });

  it('explains how to connect a site without page views', async () => {
    const insights = new FakeInsightsApi();
    insights.ask = async () => [
      { key: 'views', kind: 'unit', value: 0, changeFromPreviousPct: null },
    ];
    renderPlugin({ insights, path: '/analytics/web' });
    expect(
      await screen.findByText('No page views in this period'),
    ).toBeVisible();
    expect(
      screen.getByRole('link', { name: 'Connect a product' }),
    ).toHaveAttribute('href', '/analytics/connect?project=default');
    expect(screen.queryByRole('grid', { name: 'Sources' })).toBeNull();
  });

  it('filters everything by the chosen values, and by none once they are removed', async () => {
    const insights = new FakeInsightsApi();
    const { user } = renderPlugin({ insights, path: '/analytics/web' });
    await user.click(await screen.findByRole('row', { name: /\/pricing/ }));
    await user.click(await screen.findByRole('row', { name: /Direct/ }));
    const countries = await screen.findByRole('grid', { name: 'Countries' });
    expect(countries).toHaveTextContent('Mars');
    await user.click(
      within(countries).getByRole('row', { name: /United Kingdom/ }),
    );
    const filters = await screen.findByRole('grid', { name: 'Filters' });
    expect(filters).toHaveTextContent('Countries: United Kingdom');
    expect(filters).toHaveTextContent('Sources: Direct');
    expect(filters).toHaveTextContent('Pages: /pricing');
    await waitFor(() =>
      expect(insights.asked.at(-1)?.properties).toEqual([
        {
          type: 'hogql',
          key: "coalesce(properties.$referring_domain, '$direct') = '$direct'",
        },
        { type: 'hogql', key: expect.stringMatching(/ = '\/pricing'$/) },
        { type: 'hogql', key: "properties.$geoip_country_code = 'GB'" },
      ]),
    );

    for (let left = 3; left > 0; left -= 1) {
      await user.click(
        within(filters).getAllByRole('button', { name: /Remove/ })[0],
      );
    }
    await waitFor(() =>
      expect(screen.queryByRole('grid', { name: 'Filters' })).toBeNull(),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.properties).toBeUndefined(),
    );
  });

  it('shows the sources of campaigns, and dates of choice', async () => {
    const insights = new FakeInsightsApi();
    renderPlugin({
      insights,
      path: '/analytics/web?sourceKind=utm_source&from=2026-11-01&to=2026-11-05',
    });
    expect(
      await screen.findByRole('button', { name: /UTM source/ }),
    ).toBeVisible();
    expect(insights.asked).toContainEqual(
      expect.objectContaining({
        kind: 'WebOverviewQuery',
        dateRange: { date_from: '2026-11-01', date_to: '2026-11-05' },
      }),
    );
  });
});

describe('project settings', () => {
  it('creates a key, shows it once, and revokes it', async () => {
    const { user } = renderPlugin({
      api: new FakeEventsApi(),
      path: '/analytics/settings',
    });
    await user.click(
      await screen.findByRole('button', { name: 'Create key or token' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Name' }),
      'web',
    );
    await user.click(
      within(dialog).getByRole('button', { name: 'Create key or token' }),
    );
    expect(await screen.findByText('phc_secret')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke web' }));
    const confirm = await screen.findByRole('dialog');
    await user.click(within(confirm).getByRole('button', { name: 'Revoke' }));
    await waitFor(() =>
      expect(screen.queryByRole('row', { name: /web/ })).toBeNull(),
    );
  });

  it('hides actions from users who may not perform them', async () => {
    const api = new FakeEventsApi();
    api.mayManage = false;
    renderPlugin({ api, path: '/analytics/settings' });
    await screen.findByRole('row', { name: /development/ });
    expect(screen.queryByRole('button', { name: /Create key/ })).toBeNull();
    expect(screen.getByText(/Only platform admins/)).toBeVisible();
  });
});
