import { act, screen, waitFor, within } from '@testing-library/react';
import { cohortOf, FakeCohortsApi } from '../__testUtils__/FakeCohortsApi';
import { FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { FakePeopleApi } from '../__testUtils__/FakePeopleApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { InsightQuery } from '../api/InsightQuery';
import { hasPeople, readSelection, textOfSelection } from './selection';

const open = (
  search: string,
  options: { people?: FakePeopleApi; api?: FakeEventsApi } = {},
) => {
  const { people = new FakePeopleApi(), api } = options;
  const path = `/analytics/insights${search}`;
  return { people, ...renderPlugin({ people, api, path }) };
};
/** Reads a file; jsdom has no `text()`. */
const textOf = (file: Blob) =>
  new Promise<string>(resolve => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(file);
  });
/** Returns a list that collects the files saved from now on. */
const savedFiles = () => {
  const saved: Blob[] = [];
  URL.createObjectURL = file => {
    saved.push(file as Blob);
    return 'blob:users';
  };
  return saved;
};
const panel = (name: string | RegExp) =>
  screen.findByRole('complementary', { name });

describe('the users behind a number', () => {
  it('open from a point of a chart by keyboard, and close', async () => {
    const { people, user, address } = open('?events=bought&math=dau');
    const point = await screen.findByRole('link', {
      name: /^20 Nov 2026: /,
    });
    act(() => point.focus());
    await user.keyboard('{Enter}');
    const list = await panel('bought, 20 Nov');
    expect(address()).toContain('people=');
    expect(people.askedActors.at(-1)).toMatchObject({
      kind: 'InsightActorsQuery',
      source: { kind: 'TrendsQuery' },
      series: 0,
      day: '2026-11-20',
    });
    const link = await within(list).findByRole('link', {
      name: 'ada@example.com',
    });
    expect(link).toHaveAttribute(
      'href',
      expect.stringMatching(/\/analytics\/users\?project=.*&user=ada$/),
    );
    // A user without a profile has no page.
    expect(within(list).getAllByText('device-2')[0]).toBeVisible();
    expect(within(list).queryByRole('link', { name: 'device-2' })).toBeNull();
    expect(within(list).getByRole('status')).toHaveTextContent('2 users');
    expect(within(list).queryByText(/does not count users/)).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    expect(address()).not.toContain('people=');
    await waitFor(() => expect(point).toHaveFocus());
  });

  it('are those of a cohort', async () => {
    const people = new FakePeopleApi();
    const { user } = renderPlugin({
      people,
      cohorts: new FakeCohortsApi([cohortOf(7)]),
      path: '/analytics/insights?events=bought&by=cohort:7%0Acohort:all',
    });
    const region = await screen.findByRole('region', { name: 'Cohort 7' });
    await user.click(
      within(region).getByRole('link', { name: /^20 Nov 2026: / }),
    );
    await panel('bought, 20 Nov, Cohort 7');
    expect(people.askedActors.at(-1)).toMatchObject({
      source: {
        breakdownFilter: { breakdown_type: 'cohort', breakdown: [7, 'all'] },
      },
      series: 0,
      day: '2026-11-20',
      breakdown: 7,
    });
  });

  it('are saved as a cohort', async () => {
    const cohorts = new FakeCohortsApi();
    const selection = textOfSelection({ series: 0, day: '2026-11-20' });
    const { user } = renderPlugin({
      cohorts,
      path: `/analytics/insights?events=bought&math=dau&people=${encodeURIComponent(selection)}`,
    });
    const list = await panel('bought, 20 Nov');
    await user.click(
      await within(list).findByRole('button', { name: 'Save as cohort' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    expect(name).toHaveValue('bought, 20 Nov');
    await user.clear(name);
    await user.click(dialog.getByRole('button', { name: 'Save cohort' }));
    expect(await dialog.findByText('Enter a name')).toBeVisible();
    await user.type(name, 'Buyers');
    await user.click(dialog.getByRole('button', { name: 'Save cohort' }));
    expect(await dialog.findByText('Saved as Buyers.')).toBeVisible();
    expect(dialog.getByRole('link', { name: 'Open cohort' })).toHaveAttribute(
      'href',
      expect.stringMatching(/\/analytics\/cohorts\?project=.*&cohort=1$/),
    );
    expect(cohorts.created).toMatchObject([
      {
        name: 'Buyers',
        is_static: true,
        query: {
          kind: 'ActorsQuery',
          source: { kind: 'InsightActorsQuery', day: '2026-11-20' },
        },
      },
    ]);
  });

  it('are added to a fixed list that the user may change', async () => {
    const cohorts = new FakeCohortsApi([
      cohortOf(1, { name: 'Customers' }),
      cohortOf(2, { name: 'Theirs', is_static: true, may_change: false }),
      cohortOf(3, { name: 'Invited', is_static: true }),
    ]);
    const people = new FakePeopleApi();
    const selection = textOfSelection({ series: 0, day: '2026-11-20' });
    const { user } = renderPlugin({
      cohorts,
      people,
      path: `/analytics/insights?events=bought&math=dau&people=${encodeURIComponent(selection)}`,
    });
    const list = await panel('bought, 20 Nov');
    await user.click(
      await within(list).findByRole('button', { name: 'Add to a list' }),
    );
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Add users' }));

    expect(await dialog.findByText('Added to Invited.')).toBeVisible();
    expect(cohorts.changedLists).toEqual([
      { id: 3, add_distinct_ids: people.persons.map(({ id }) => id) },
    ]);
  });

  it('are said to be different users where the chart counts events', async () => {
    const selection = textOfSelection({ series: 0, day: '2026-11-20' });
    open(`?events=bought&people=${encodeURIComponent(selection)}`);
    const list = await panel('bought, 20 Nov');
    expect(within(list).getByText(/does not count users/)).toBeVisible();
  });

  it('are searched, and exported from all pages', async () => {
    const people = new FakePeopleApi();
    const [ada] = people.persons;
    people.persons = Array.from({ length: 201 }, (_, index) => ({
      ...ada,
      id: `user-${index}`,
      distinct_ids: [`user-${index}`],
      properties: {},
    }));
    // jsdom takes seconds to render a page of 50 rows, so pages have only two.
    const read = people.getActors.bind(people);
    const asked: string[] = [];
    people.getActors = (projectId, options) => {
      asked.push(`${options.search}:${options.offset}`);
      return read(projectId, {
        ...options,
        limit: options.limit === 50 ? 2 : options.limit,
      });
    };
    const saved = savedFiles();
    const { user } = open('?events=bought&math=dau', { people });
    await user.click(
      await screen.findByRole('link', { name: /^20 Nov 2026: / }),
    );
    const list = await panel('bought, 20 Nov');
    const pages = await within(list).findByRole('navigation', {
      name: 'Pages of users',
    });
    await user.click(within(pages).getByRole('button', { name: /Next/ }));
    await within(list).findByRole('link', { name: 'user-50' });
    await user.click(within(list).getByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    // One line per user, plus one with the column titles.
    const text = await textOf(saved[0]);
    expect(text.trim().split('\r\n')).toHaveLength(202);
    expect(text).toContain('user-200,user-200,,');
    asked.length = 0;
    // Type the text as a single change, as each change renders the whole page again.
    await user.click(
      within(list).getByRole('searchbox', { name: 'Search names and IDs' }),
    );
    await user.paste('user-200');
    await waitFor(() =>
      expect(within(list).getByRole('status')).toHaveTextContent('1 user'),
    );
    expect(
      await within(list).findByRole('link', { name: 'user-200' }),
    ).toBeVisible();
    // The first page without the search text is not queried as well.
    expect(asked).toEqual(['user-200:0']);
  });

  it.each([
    ['?kind=LifecycleQuery&events=bought', /^20 Nov 2026: /, 'User,ID,Email'],
    ['?kind=PathsQuery', /from \/pricing/, 'User,ID,Email,Visits'],
  ])('of %s are exported with what is counted', async (search, name, head) => {
    const saved = savedFiles();
    const { user } = open(search);
    const [number] = await screen.findAllByRole('link', { name });
    await user.click(number);
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    const [line] = (await textOf(saved[0])).split('\r\n');
    expect(line).toBe(head);
  });

  it('are not exported any further once the panel is closed', async () => {
    const people = new FakePeopleApi();
    const { user } = open('?events=bought&math=dau', { people });
    await user.click(
      await screen.findByRole('link', { name: /^20 Nov 2026: / }),
    );
    const list = await panel('bought, 20 Nov');
    const button = await within(list).findByRole('button', {
      name: 'Export CSV',
    });
    let asked: AbortSignal | undefined;
    people.getActors = (_projectId, { signal }) => {
      asked = signal;
      return new Promise(() => {});
    };
    await user.click(button);
    await waitFor(() => expect(asked?.aborted).toBe(false));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(asked?.aborted).toBe(true));
  });

  it.each([
    [undefined, false],
    [7, true],
  ])(
    'are said to be other users than an average over %s intervals counts: %s',
    async (smoothingIntervals, isSaid) => {
      const insights = new FakeInsightsApi();
      const query: InsightQuery = {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
        trendsFilter: { smoothingIntervals },
      };
      await insights.createInsight('shop', { name: 'Buyers', query });
      const [{ id }] = insights.insights;
      await insights.createDashboard('shop', { name: 'Overview', tiles: [id] });
      const { user } = renderPlugin({
        insights,
        path: '/analytics/dashboards',
      });
      await user.click(
        await screen.findByRole('link', { name: /^20 Nov 2026: / }),
      );
      const list = await panel('bought, 20 Nov');
      expect(within(list).queryAllByText(/does not count users/)).toHaveLength(
        isSaid ? 1 : 0,
      );
    },
  );

  it('are those of the second hour where clocks repeat one', async () => {
    const insights = new FakeInsightsApi();
    const hour = '2026-10-25 02:00:00';
    insights.ask = async () => [
      {
        label: 'bought',
        data: [5, 6],
        count: 11,
        days: [hour, hour],
        labels: ['25-Oct-2026 02:00', '25-Oct-2026 02:00'],
        action: { math: 'dau', order: 0 },
      },
    ];
    const people = new FakePeopleApi();
    const { user } = renderPlugin({
      insights,
      people,
      path: '/analytics/insights?events=bought&math=dau',
    });
    await user.click(
      await screen.findByRole('link', { name: '25 Oct 2026, 02:00: 6' }),
    );
    await panel('bought, 25 Oct, 02:00');
    expect(people.askedActors.at(-1)).toMatchObject({ series: 0, day: 1 });
  });

  it('are those who reach a step of a funnel, or drop off before it', async () => {
    const { people, user } = open('?kind=FunnelsQuery&events=bought%0Aopened');
    const table = await screen.findByRole('table', { name: 'Funnel' });
    await user.click(
      within(table).getByRole('link', { name: '318, show who reached opened' }),
    );
    await panel('Reached step 2, opened');
    expect(people.askedActors.at(-1)).toMatchObject({
      kind: 'FunnelsActorsQuery',
      funnelStep: 2,
    });
    await user.click(
      within(table).getByRole('link', {
        name: '582, show who dropped off before opened',
      }),
    );
    await panel('Dropped off before step 2, opened');
    await waitFor(() =>
      expect(people.askedActors.at(-1)).toMatchObject({ funnelStep: -2 }),
    );
  });

  it('are those of a cell of a retention', async () => {
    const { people, user } = open('?kind=RetentionQuery&by=plan');
    const table = await screen.findByRole('table', { name: 'pro' });
    await user.click(
      within(table).getByRole('link', {
        name: '50%, show who started 9 Nov and returned, Day 1',
      }),
    );
    await panel('Started 9 Nov, returned: Day 1, pro');
    expect(people.askedActors.at(-1)).toEqual({
      kind: 'InsightActorsQuery',
      source: expect.objectContaining({ kind: 'RetentionQuery' }),
      interval: 1,
      returnInterval: 1,
      breakdown: 'pro',
    });
  });

  it('are those of a bar of a lifecycle', async () => {
    const { people, user } = open('?kind=LifecycleQuery&events=bought');
    const chart = await screen.findByRole('region', { name: 'New users' });
    await user.click(
      within(chart).getByRole('link', { name: /^20 Nov 2026: / }),
    );
    const list = await panel('bought, 20 Nov: new users');
    expect(people.askedActors.at(-1)).toMatchObject({
      kind: 'InsightActorsQuery',
      source: { kind: 'LifecycleQuery' },
      day: '2026-11-20',
      status: 'new',
    });
    expect(within(list).queryByText(/these are the different/)).toBeNull();
  });

  it('are those who were active on a number of days', async () => {
    const { people, user } = open('?kind=StickinessQuery&events=bought');
    await user.click(await screen.findByRole('link', { name: /^3 days: / }));
    await panel('bought: active on 3 days');
    expect(people.askedActors.at(-1)).toMatchObject({
      kind: 'InsightActorsQuery',
      source: { kind: 'StickinessQuery' },
      series: 0,
      day: 3,
    });
  });

  it('are those who went from one page to another, with how often', async () => {
    const { people, user } = open('?kind=PathsQuery');
    await user.click(
      await screen.findByRole('link', {
        name: '70, show who went from /pricing to signed up',
      }),
    );
    const list = await panel('From /pricing to signed up, step 2');
    expect(people.askedActors.at(-1)).toEqual({
      kind: 'InsightActorsQuery',
      source: expect.objectContaining({
        kind: 'PathsQuery',
        pathsFilter: expect.objectContaining({
          pathStartKey: '2_/pricing',
          pathEndKey: '3_signed up',
        }),
      }),
    });
    expect(within(list).getByText(/The table counts visits/)).toBeVisible();
    expect(
      await within(list).findByRole('columnheader', { name: 'Visits' }),
    ).toBeVisible();
  });

  it.each(['{"day":3}', '{"day":"soon"}', '{"day":3,"date":"2026-02-99"}'])(
    'are listed although the address has no time: %s',
    async selection => {
      open(`?events=bought&people=${encodeURIComponent(selection)}`);
      await panel('bought');
    },
  );

  it('are closed when the question changes', async () => {
    const { user, address } = open('?events=bought&math=dau');
    await user.click(
      await screen.findByRole('link', { name: /^20 Nov 2026: / }),
    );
    await panel('bought, 20 Nov');
    await user.click(screen.getByRole('button', { name: /Last 30 days/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Last 7 days' }),
    );
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    expect(address()).not.toContain('people=');
  });

  it('are not offered in a project that hides them', async () => {
    const api = new FakeEventsApi();
    api.projects = api.projects.map(each => ({ ...each, hidesPeople: true }));
    const selection = textOfSelection({ funnelStep: 1 });
    open(
      `?kind=FunnelsQuery&events=bought%0Aopened&people=${encodeURIComponent(selection)}`,
      { api },
    );
    const table = await screen.findByRole('table', { name: 'Funnel' });
    expect(within(table).queryByRole('link')).toBeNull();
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it('open next to the insight from a dashboard', async () => {
    const insights = new FakeInsightsApi();
    const query: InsightQuery = {
      kind: 'FunnelsQuery',
      series: ['a', 'b'].map(event => ({ kind: 'EventsNode', event })),
    };
    await insights.createInsight('shop', { name: 'Sales', query });
    const [{ id }] = insights.insights;
    await insights.createDashboard('shop', { name: 'Overview', tiles: [id] });
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    await user.click(
      await screen.findByRole('link', { name: '900, show who reached a' }),
    );
    await panel('Reached step 1, a');
  });
});

describe('a selected number', () => {
  const query: InsightQuery = { kind: 'TrendsQuery' };

  it.each([
    '',
    'x',
    '[]',
    '{"funnelStep":1}',
    '{"interval":0}',
    '{"status":"new"}',
    '{"pathStartKey":"1_/","pathEndKey":"2_/"}',
  ])('is none of a trend in %j', text => {
    expect(readSelection(text, query)).toBeUndefined();
  });

  it('has the fields of the service alone', () => {
    const text = '{"series":"x","day":"2026-11-20","breakdown":["a"],"y":1}';
    expect(readSelection(text, query)).toEqual({
      of: {
        kind: 'InsightActorsQuery',
        source: query,
        day: '2026-11-20',
        breakdown: ['a'],
      },
    });
  });

  it.each([
    { kind: 'WebOverviewQuery' },
    { kind: 'FunnelsQuery', aggregation_group_type_index: 0 },
    { kind: 'LifecycleQuery', aggregation_group_type_index: 0 },
    {
      kind: 'FunnelsQuery',
      funnelsFilter: { funnelAggregateByHogQL: 'properties.x' },
    },
    {
      kind: 'RetentionQuery',
      breakdownFilter: { breakdowns: [{ property: 'a' }, { property: 'b' }] },
    },
  ])('is not of %j', other => {
    expect(hasPeople(other)).toBe(false);
  });
});
