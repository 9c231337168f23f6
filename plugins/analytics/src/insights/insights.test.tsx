import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { cohortOf, FakeCohortsApi } from '../__testUtils__/FakeCohortsApi';
import { FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { EventsQuery } from '../api/EventsApi';
import type { InsightQuery } from '../api/InsightQuery';
import { queryOf } from './formQuery';
import { DEFAULTS } from './insightForm';
import { currentQuery, valuesOf } from './savedQuery';

const open = (
  search = '',
  insights = new FakeInsightsApi(),
  api = new FakeEventsApi(),
) => ({
  insights,
  ...renderPlugin({ api, insights, path: `/analytics/insights${search}` }),
});

/** Sets the current date; timers remain real. */
const setToday = (date: string) =>
  vi.useFakeTimers({ now: new Date(`${date}T12:00:00Z`), toFake: ['Date'] });

afterEach(() => void vi.useRealTimers());

/** A funnel over a period that a program gave relative to today. */
const ENDED: InsightQuery = {
  kind: 'FunnelsQuery',
  series: ['a', 'b'].map(event => ({ kind: 'EventsNode', event })),
  interval: 'day',
  dateRange: { date_from: '-20d', date_to: '-7d' },
  funnelsFilter: {
    funnelOrderType: 'ordered',
    funnelVizType: 'trends',
    funnelWindowInterval: 3,
    funnelWindowIntervalUnit: 'day',
  },
};

describe('the form of insights', () => {
  it('computes of a property, and asks which before it queries', async () => {
    const { insights, user, address } = open('?events=bought&math=p95');
    expect(await screen.findByText('Choose a property')).toBeVisible();
    expect(insights.asked.filter(({ series }) => series)).toEqual([]);
    const of = screen.getByRole('combobox', { name: 'Of property' });
    await user.type(of, 'price');
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.series).toEqual([
        {
          kind: 'EventsNode',
          event: 'bought',
          math: 'p95',
          math_property: 'price',
        },
      ]),
    );
    expect(address()).toContain('of=price');
  });

  it('counts the groups of a type', async () => {
    const { insights, user } = open('?events=bought');
    await user.click(
      await screen.findByRole('button', { name: /Events Count/ }),
    );
    await user.click(
      await screen.findByRole('option', { name: 'Groups: team' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.series).toEqual([
        {
          kind: 'EventsNode',
          event: 'bought',
          math: 'unique_group',
          math_group_type_index: 1,
        },
      ]),
    );
  });

  it('breaks down by properties of groups and users, by one after the other', async () => {
    const { insights, user, address } = open();
    const by = await screen.findByRole('combobox', {
      name: 'Break down by',
    });
    await user.click(by);
    await user.click(
      await screen.findByRole('option', { name: 'company:plan' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
        breakdown: 'plan',
        breakdown_type: 'group',
        breakdown_group_type_index: 0,
      }),
    );
    expect(by).toHaveValue('company:plan');
    expect(address()).toContain('by=group_0%3Aplan');
    await user.type(
      await screen.findByRole('combobox', { name: 'Breakdown 2' }),
      'user:country',
    );
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
        breakdowns: [
          { property: 'plan', type: 'group', group_type_index: 0 },
          { property: 'country', type: 'person' },
        ],
      }),
    );
    // Each field has its own name.
    expect(screen.getByRole('combobox', { name: 'Breakdown 3' })).toHaveValue(
      '',
    );
    await user.clear(by);
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
        breakdown: 'country',
        breakdown_type: 'person',
      }),
    );
    expect(by).toHaveValue('user:country');
  });

  it('breaks down by cohorts, and then offers only further cohorts', async () => {
    const insights = new FakeInsightsApi();
    const cohorts = new FakeCohortsApi([
      cohortOf(7, { name: 'Enterprise' }),
      cohortOf(8, { name: 'Trial' }),
    ]);
    const { user, address } = renderPlugin({
      insights,
      cohorts,
      path: '/analytics/insights?by=plan',
    });
    const by = await screen.findByRole('combobox', { name: 'Break down by' });
    await user.clear(by);
    await user.type(by, 'enter');
    expect(screen.queryByRole('option', { name: /All other/ })).toBeNull();
    await user.click(
      await screen.findByRole('option', { name: 'Cohort: Enterprise' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
        breakdown_type: 'cohort',
        breakdown: [7],
      }),
    );
    expect(by).toHaveValue('Cohort: Enterprise');
    const more = await screen.findByRole('combobox', { name: 'Breakdown 2' });
    await user.type(more, 'plan');
    await user.tab();
    await waitFor(() => expect(more).toHaveValue(''));
    await user.click(more);
    expect(
      (await screen.findAllByRole('option')).map(each => each.textContent),
    ).toEqual(['Cohort: Trial', 'All users', 'All other users']);
    await user.click(screen.getByRole('option', { name: 'All other users' }));
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
        breakdown_type: 'cohort',
        breakdown: [7, 'others'],
      }),
    );
    expect(address()).toContain('by=cohort%3A7%0Acohort%3Aothers');
    // Without a cohort, `others` is dropped too.
    await user.clear(by);
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.breakdownFilter).toBeUndefined(),
    );
  });

  it('offers all other users only next to a cohort', async () => {
    const cohorts = new FakeCohortsApi([cohortOf(7)]);
    const { user } = renderPlugin({
      cohorts,
      path: '/analytics/insights?by=cohort:all',
    });
    const more = await screen.findByRole('combobox', { name: 'Breakdown 2' });
    await user.click(more);
    expect(
      (await screen.findAllByRole('option')).map(each => each.textContent),
    ).toEqual(['Cohort: Cohort 7']);
  });

  it.each(['FunnelsQuery', 'RetentionQuery'])(
    'names the cohorts of a saved %s',
    async kind => {
      const insights = new FakeInsightsApi();
      const query: InsightQuery = {
        kind,
        series: ['a', 'b'].map(event => ({ kind: 'EventsNode', event })),
        breakdownFilter: { breakdown_type: 'cohort', breakdown: [7, 'all'] },
      };
      await insights.createInsight('default', { name: 'By cohort', query });
      const cohorts = new FakeCohortsApi([cohortOf(7)]);
      renderPlugin({
        insights,
        cohorts,
        path: '/analytics/insights?insight=i1',
      });
      expect(
        await screen.findByRole('table', { name: 'Cohort 7' }),
      ).toBeVisible();
      expect(screen.getByRole('table', { name: 'All users' })).toBeVisible();
      expect(
        await screen.findByRole('combobox', { name: 'Break down by' }),
      ).toHaveValue('Cohort: Cohort 7');
    },
  );

  it('filters by the property of a group', async () => {
    const { insights, user } = open();
    await user.click(await screen.findByRole('button', { name: 'Add filter' }));
    const filter = screen.getByRole('group', { name: 'Filter 1' });
    await user.click(
      within(filter).getByRole('button', { name: /Property of/ }),
    );
    await user.click(
      await screen.findByRole('option', { name: 'Group: company' }),
    );
    await user.click(
      within(filter).getByRole('combobox', { name: 'Property' }),
    );
    await user.click(await screen.findByRole('option', { name: 'plan' }));
    await user.type(
      within(filter).getByRole('textbox', { name: 'Value' }),
      'pro',
    );
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.properties).toEqual([
        {
          type: 'group',
          group_type_index: 0,
          key: 'plan',
          operator: 'exact',
          value: 'pro',
        },
      ]),
    );
  });

  it('computes a formula of several events', async () => {
    const { insights, user } = open('?events=bought%0Asigned%20up');
    const formula = await screen.findByRole('textbox', { name: 'Formula' });
    expect(screen.getByText('Event B')).toBeVisible();
    await user.type(formula, 'A / B * 100');
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.trendsFilter).toEqual({
        formula: 'A / B * 100',
      }),
    );
  });

  it('applies typed values on Enter, and keeps the focus in their field', async () => {
    const { user, address } = open('?kind=FunnelsQuery&events=a%0Ab');
    const field = await screen.findByRole('textbox', {
      name: 'Days to convert',
    });
    await user.clear(field);
    await user.type(field, '3{Enter}');
    await waitFor(() => expect(address()).toContain('window=3'));
    expect(field).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Add filter' }));
    const filter = within(screen.getByRole('group', { name: 'Filter 1' }));
    await user.type(filter.getByRole('combobox', { name: 'Property' }), 'plan');
    await user.tab();
    const value = filter.getByRole('textbox', { name: 'Value' });
    await user.type(value, 'pro{Enter}');
    await waitFor(() => expect(address()).toContain('filters='));
    expect(value).toHaveFocus();
  });

  it('leaves keys in typed fields to what is around it', async () => {
    const { user } = open('?kind=FunnelsQuery&events=a%0Ab');
    const keys: string[] = [];
    const listen = ({ key }: KeyboardEvent) => keys.push(key);
    document.addEventListener('keydown', listen);
    try {
      const field = await screen.findByRole('textbox', {
        name: 'Days to convert',
      });
      await user.type(field, '3{Escape}');
      expect(keys).toEqual(['3', 'Escape']);
    } finally {
      document.removeEventListener('keydown', listen);
    }
  });

  it('applies a property filter once it is complete', async () => {
    const { insights, user, address } = open();
    await user.click(await screen.findByRole('button', { name: 'Add filter' }));
    const filter = screen.getByRole('group', { name: 'Filter 1' });
    await user.type(
      within(filter).getByRole('combobox', { name: 'Property' }),
      'plan',
    );
    await user.tab();
    expect(insights.asked.at(-1)?.properties).toBeUndefined();
    await user.type(
      within(filter).getByRole('textbox', { name: 'Value' }),
      'pro',
    );
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)?.properties).toEqual([
        { type: 'event', key: 'plan', operator: 'exact', value: 'pro' },
      ]),
    );
    expect(address()).toContain('filters=');
    await user.click(
      within(filter).getByRole('button', { name: 'Remove filter 1' }),
    );
    await waitFor(() => expect(address()).not.toContain('filters='));
  });

  it('filters by a cohort', async () => {
    const insights = new FakeInsightsApi();
    const cohorts = new FakeCohortsApi([cohortOf(7, { name: 'Buyers' })]);
    const { user } = renderPlugin({
      insights,
      cohorts,
      path: '/analytics/insights?filters=[{"key":"plan","value":"pro"}]',
    });
    const filter = within(
      await screen.findByRole('group', { name: 'Filter 1' }),
    );
    await user.click(filter.getByRole('button', { name: /Property of/ }));
    await user.click(await screen.findByRole('option', { name: 'Cohort' }));
    expect(filter.queryByRole('combobox', { name: 'Property' })).toBeNull();
    await user.click(filter.getByRole('button', { name: /^Choose a cohort/ }));
    await user.click(await screen.findByRole('option', { name: 'Buyers' }));
    await user.click(filter.getByRole('button', { name: /Condition/ }));
    await user.click(await screen.findByRole('option', { name: 'not in' }));
    await waitFor(() =>
      expect(insights.asked.at(-1)?.properties).toEqual([
        { type: 'cohort', key: 'id', operator: 'not_in', value: 7 },
      ]),
    );
  });

  it('tells that there are no cohorts to filter by', async () => {
    renderPlugin({
      cohorts: new FakeCohortsApi([]),
      path: '/analytics/insights?filters=[{"type":"cohort","key":"id","value":""}]',
    });
    const filter = within(
      await screen.findByRole('group', { name: 'Filter 1' }),
    );
    expect(
      await filter.findByRole('button', { name: /^No cohorts yet/ }),
    ).toBeVisible();
  });

  it('opens a saved insight by its id alone, and may change all of it afterwards', async () => {
    const insights = new FakeInsightsApi();
    await insights.createInsight('default', { name: 'Sales', query: ENDED });
    const { user, address } = open('?insight=i1', insights);
    expect(
      await screen.findByRole('region', { name: 'Conversion by start date' }),
    ).toBeVisible();
    expect(insights.asked).toEqual([
      { ...ENDED, filterTestAccounts: undefined },
    ]);
    expect(address()).toContain('kind=FunnelsQuery');
    await user.click(screen.getByRole('button', { name: /Funnel Insight/ }));
    await user.click(await screen.findByRole('option', { name: 'Lifecycle' }));
    expect(
      await screen.findByRole('region', { name: 'New users' }),
    ).toBeVisible();
    expect(address()).toContain('insight=i1');
  });

  it('finds saved insights by their names', async () => {
    const insights = new FakeInsightsApi();
    for (const name of ['Sales', 'Visits', 'Errors', 'Paths', 'Speed', 'Use']) {
      await insights.createInsight('default', { name, query: ENDED });
    }
    const { user } = open('', insights);
    const list = await screen.findByRole('region', { name: 'Saved insights' });
    await user.type(within(list).getByRole('searchbox'), 'sal');
    await waitFor(() =>
      expect(within(list).getAllByRole('link')).toHaveLength(1),
    );
    expect(within(list).getByRole('link', { name: 'Sales' })).toBeVisible();
    expect(within(list).getByText('1 of 6 insights')).toBeVisible();
  });

  it('shows all saved insights once there are too few to search', async () => {
    const insights = new FakeInsightsApi();
    for (const name of ['Sales', 'Visits', 'Errors', 'Paths', 'Speed', 'Use']) {
      await insights.createInsight('default', { name, query: ENDED });
    }
    const { user } = open('?insight=i1', insights);
    const list = await screen.findByRole('region', { name: 'Saved insights' });
    await user.type(within(list).getByRole('searchbox'), 'sal');
    await user.click(
      await screen.findByRole('button', { name: 'Delete insight' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete insight' }),
    );
    await waitFor(() =>
      expect(within(list).getAllByRole('link')).toHaveLength(5),
    );
    expect(within(list).queryByRole('searchbox')).toBeNull();
  });

  it('applies all settings of a saved insight, and names those that it does not show', async () => {
    const insights = new FakeInsightsApi();
    const query: InsightQuery = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought' }],
      interval: 'day',
      dateRange: { date_from: '-30d' },
      properties: {
        type: 'OR',
        values: [{ key: 'plan', value: 'pro' }],
      },
    };
    await insights.createInsight('default', { name: 'Sales', query });
    const { user } = open('?insight=i1&events=bought', insights);
    expect(
      await screen.findByText(/does not show: properties\./),
    ).toBeVisible();
    await waitFor(() => expect(insights.asked.at(-1)).toMatchObject(query));
    await user.click(screen.getByRole('button', { name: /Add event/ }));
    await waitFor(() => expect(insights.asked.at(-1)?.series).toHaveLength(2));
    expect(screen.queryByText(/does not show/)).toBeNull();
  });

  it.each([
    ['still runs', '2026-11-21', 'day', true],
    ['is over', '2026-11-22', 'day', false],
    ['is a week that still runs', '2026-11-27', 'week', true],
  ])('tells that the last interval of a trend %s', async (...names) => {
    const [, today, interval, runs] = names;
    setToday(today);
    open(`?interval=${interval}`);
    const [last, before] = ['21', '20'].map(day =>
      screen.findByRole('link', { name: new RegExp(`^${day} Nov 2026`) }),
    );
    expect((await last).dataset.tentative).toBe(String(runs));
    expect(/Incomplete/.test((await last).getAttribute('aria-label')!)).toBe(
      runs,
    );
    expect((await before).dataset.tentative).toBe('false');
  });

  it.each([
    ['still runs', '2026-11-15', true],
    ['is over', '2026-11-16', false],
  ])(
    'tells that the last interval of a retention %s',
    async (_, today, runs) => {
      setToday(today);
      open('?kind=RetentionQuery');
      const rows = (await screen.findAllByRole('row')).slice(1);
      expect(rows).toHaveLength(8);
      for (const row of rows) {
        const cells = [...row.querySelectorAll('td')];
        const last = cells.pop()!;
        expect(last.dataset.tentative).toBe(String(runs));
        expect(/Incomplete/.test(last.title)).toBe(runs);
        expect(cells.every(cell => cell.dataset.tentative === 'false')).toBe(
          true,
        );
      }
    },
  );

  it.each([
    ['ends before its last week', '2026-11-25', true],
    ['ends with its last week', '2026-11-27', false],
  ])('tells that a past period %s', async (_, to, isCut) => {
    setToday('2027-01-10');
    open(`?events=a&interval=week&from=2026-11-08&to=${to}`);
    const [last, ...others] = (await screen.findAllByRole('row')).slice(1);
    expect(last).toHaveTextContent(
      isCut ? /^21 Nov 2026.*the period ends before/ : /^21 Nov 2026\s*\d+$/,
    );
    others.forEach(row => expect(row).not.toHaveTextContent(/Incomplete/));
  });

  it('names the users of a lifecycle, and counts dormant ones upwards', async () => {
    open('?kind=LifecycleQuery');
    expect(
      await screen.findByRole('region', { name: 'New users' }),
    ).toBeVisible();
    const dormant = screen.getByRole('region', { name: /^Dormant users/ });
    expect(within(dormant).getAllByRole('row').slice(1)[0]).toHaveTextContent(
      /^21 Nov 2026\s*29$/,
    );
  });

  it('shows the conversion of a funnel over time, of which the last days may change', async () => {
    setToday('2026-11-21');
    const { insights, user, address } = open(
      '?kind=FunnelsQuery&events=a%0Ab&window=3',
    );
    await user.click(await screen.findByRole('button', { name: /Steps Show/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Conversion over time' }),
    );
    const table = await screen.findByRole('table', {
      name: 'Conversion by start date',
    });
    expect(address()).toContain('viz=trends');
    expect(insights.asked.at(-1)).toMatchObject({
      interval: 'day',
      funnelsFilter: { funnelVizType: 'trends' },
    });
    expect(insights.asked.at(-1)?.breakdownFilter).toBeUndefined();
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows[0]).toHaveTextContent(/^21 Nov 2026\s*29%.*May still change/);
    expect(rows.at(-1)).toHaveTextContent(/^8 Nov 2026\s*20%$/);
  });

  it('breaks down the conversion of a funnel over time, but not the time to convert', async () => {
    const { insights, user } = open(
      '?kind=FunnelsQuery&events=a%0Ab&viz=trends&by=plan',
    );
    for (const value of ['pro', 'No value']) {
      expect(
        await screen.findByRole('region', {
          name: `Conversion by start date: ${value}`,
        }),
      ).toHaveTextContent('21 Nov 2026');
    }
    expect(insights.asked.at(-1)?.breakdownFilter).toEqual({
      breakdown: 'plan',
    });
    await user.click(
      screen.getByRole('button', { name: /Conversion over time Show/ }),
    );
    await user.click(
      await screen.findByRole('option', { name: 'Time to convert' }),
    );
    await screen.findByRole('region', {
      name: 'Time from the first step to the last',
    });
    expect(insights.asked.at(-1)?.breakdownFilter).toBeUndefined();
  });

  it('shows the conversion of cohorts with the same name', async () => {
    const logged = vi.spyOn(console, 'error');
    const insights = new FakeInsightsApi();
    insights.ask = async () =>
      [20, 30].map(percent => ({
        count: 1,
        data: [percent],
        days: ['2026-11-21'],
        labels: ['21-Nov-2026'],
        breakdown_value: 'Customers',
      }));
    renderPlugin({
      insights,
      cohorts: new FakeCohortsApi([cohortOf(7), cohortOf(8)]),
      path: '/analytics/insights?kind=FunnelsQuery&viz=trends&by=cohort:7%0Acohort:8',
    });
    expect(
      await screen.findAllByRole('region', {
        name: 'Conversion by start date: Customers',
      }),
    ).toHaveLength(2);
    expect(logged.mock.calls.flat().join('\n')).not.toContain('same key');
    logged.mockRestore();
  });

  it('leaves out users who have an event between the steps of a funnel', async () => {
    const { insights, user, address } = open(
      '?kind=FunnelsQuery&events=bought%0Aopened',
    );
    await user.click(
      await screen.findByRole('button', { name: /Leave out users with/ }),
    );
    expect(screen.queryByRole('option', { name: 'bought' })).toBeNull();
    await user.click(await screen.findByRole('option', { name: 'signed up' }));
    const exclusions = [
      {
        kind: 'EventsNode',
        event: 'signed up',
        funnelFromStep: 0,
        funnelToStep: 1,
      },
    ];
    await waitFor(() =>
      expect(insights.asked.at(-1)?.funnelsFilter?.exclusions).toEqual(
        exclusions,
      ),
    );
    expect(address()).toContain('exclude=signed+up');
    const query = insights.asked.at(-1)!;
    expect(currentQuery(valuesOf(query), query).more).toEqual([]);
    await user.click(screen.getByRole('button', { name: /In order Order/ }));
    await user.click(
      await screen.findByRole('option', { name: 'In any order' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.funnelsFilter).toEqual({
        funnelOrderType: 'unordered',
        funnelWindowInterval: 14,
        funnelWindowIntervalUnit: 'day',
      }),
    );
    expect(
      screen.queryByRole('button', { name: /Leave out users with/ }),
    ).toBeNull();
  });

  it('shows the retention of each value of a property, of as many intervals as asked', async () => {
    const { insights, user, address } = open(
      '?kind=RetentionQuery&by=user%3Aplan&interval=week&to=2026-11-01',
    );
    expect(await screen.findByRole('table', { name: 'pro' })).toBeVisible();
    expect(screen.getByRole('table', { name: 'No value' })).toHaveTextContent(
      '300',
    );
    expect(screen.getByLabelText('Until')).toHaveValue('2026-11-01');
    const intervals = screen.getByRole('textbox', { name: 'Intervals' });
    await user.clear(intervals);
    await user.type(intervals, '12');
    await user.tab();
    await waitFor(() =>
      expect(insights.asked.at(-1)).toMatchObject({
        dateRange: { date_to: '2026-11-01' },
        breakdownFilter: { breakdown: 'plan', breakdown_type: 'person' },
        retentionFilter: { period: 'Week', totalIntervals: 12 },
      }),
    );
    expect(address()).toContain('intervals=12');
  });

  it.each([
    {
      period: 'lasts until now',
      dates: 'period=-30d',
      today: '2026-11-21',
      // Users who started on the evening of the 18th have until the evening of the 21st.
      incomplete: [18, 19, 20, 21],
      note: 'May still change: some users still have time to convert',
    },
    {
      period: 'ends today',
      dates: 'from=2026-11-08&to=2026-11-21',
      today: '2026-11-21',
      incomplete: [18, 19, 20, 21],
      note: 'May still change: some users still have time to convert',
    },
    {
      period: 'ended long ago',
      dates: 'from=2026-11-08&to=2026-11-21',
      today: '2027-03-01',
      // Everyone who started on the 18th had until the evening of the 21st.
      incomplete: [19, 20, 21],
      note: 'Incomplete: the period ended before all users had the full time to convert',
    },
    {
      period: 'ended a week ago, as a saved insight says',
      dates: 'period=-20d&insight=i1',
      today: '2026-11-28',
      incomplete: [19, 20, 21],
      note: 'Incomplete: the period ended before all users had the full time to convert',
    },
    {
      period: 'has ended where the project is, though not in UTC',
      dates: 'from=2026-11-08&to=2026-11-21',
      today: '2026-11-21',
      zone: 'Pacific/Auckland',
      incomplete: [19, 20, 21],
      note: 'Incomplete: the period ended before all users had the full time to convert',
    },
  ])(
    'marks the days on which not all users had the time to convert, of a period that $period',
    async ({ dates, today, zone = 'UTC', incomplete, note }) => {
      setToday(today);
      const api = new FakeEventsApi();
      api.projects = api.projects.map(each => ({ ...each, timeZone: zone }));
      const insights = new FakeInsightsApi();
      await insights.createInsight('default', { name: 'Sales', query: ENDED });
      open(
        `?kind=FunnelsQuery&events=a%0Ab&viz=trends&window=3&${dates}`,
        insights,
        api,
      );
      const table = await screen.findByRole('table', {
        name: 'Conversion by start date',
      });
      const [, ...rows] = within(table).getAllByRole('row');
      const notes = rows.map(row => [
        within(row).getByRole('rowheader').textContent,
        within(row).getAllByRole('cell').at(-1)?.textContent,
      ]);
      expect(Object.fromEntries(notes)).toEqual(
        Object.fromEntries(
          Array.from({ length: 14 }, (_, index) => [
            `${8 + index} Nov 2026`,
            incomplete.includes(8 + index) ? note : '',
          ]),
        ),
      );
      const link = (day: number) =>
        screen.getByRole('link', { name: new RegExp(`^${day} Nov 2026`) });
      expect(link(incomplete[0]).dataset.tentative).toBe('true');
      expect(link(incomplete[0] - 1).dataset.tentative).toBe('false');
    },
  );

  it('shows how long people take from the first step of a funnel to the last', async () => {
    open('?kind=FunnelsQuery&events=a%0Ab&viz=time_to_convert');
    const region = await screen.findByRole('region', {
      name: 'Time from the first step to the last',
    });
    expect(region).toHaveTextContent('Average: 1 min 24 s');
    const rows = within(region).getAllByRole('row').slice(1);
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^3 min or longer1 user$/),
      expect.stringMatching(/^2 min to 3 min3 users$/),
      expect.stringMatching(/^1 min to 2 min9 users$/),
      expect.stringMatching(/^0 s to 1 min4 users$/),
    ]);
  });

  it.each([
    ['-14d', 'Last 14 days'],
    ['-1w', 'Last week'],
    ['mStart', 'mStart'],
  ])('names the period %s, which a program chose', async (period, name) => {
    open(`?period=${period}`);
    expect(
      await screen.findByRole('button', {
        name: new RegExp(`^${name} Period`),
      }),
    ).toBeVisible();
  });

  it('shows what a saved query leaves out with the defaults of the service', () => {
    const query: InsightQuery = {
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: { id: 'a' },
        returningEntity: { id: 'b' },
      },
    };
    expect(currentQuery(valuesOf(query), query)).toEqual({
      query: {
        kind: 'RetentionQuery',
        dateRange: { date_from: '-30d' },
        retentionFilter: {
          period: 'Day',
          totalIntervals: 8,
          targetEntity: { id: 'a' },
          returningEntity: { id: 'b' },
        },
      },
      more: [],
    });
    expect(
      currentQuery(valuesOf(query), {
        ...query,
        retentionFilter: {
          ...query.retentionFilter,
          cumulative: true,
        } as object,
      }).more,
    ).toEqual(['retentionFilter']);
    const trends: InsightQuery = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'a' }],
    };
    expect(valuesOf(trends).period).toBe('-7d');
  });

  it.each([
    { breakdown: 'plan' },
    { breakdown: 'plan', breakdown_type: 'person' },
    {
      breakdown: 'plan',
      breakdown_type: 'group',
      breakdown_group_type_index: 2,
    },
    {
      breakdowns: [
        { property: 'plan' },
        { property: 'plan', type: 'person' },
        { property: 'plan', type: 'group', group_type_index: 1 },
      ],
    },
  ])('shows the saved breakdown %j', breakdownFilter => {
    const query: InsightQuery = {
      ...queryOf({ ...DEFAULTS, events: 'bought' }),
      breakdownFilter,
    };
    expect(currentQuery(valuesOf(query), query)).toEqual({
      query: expect.objectContaining({ breakdownFilter }),
      more: [],
    });
  });

  it.each([
    { breakdown: 7 },
    { breakdown: '7' },
    { breakdown: [7] },
    { breakdown: ['7'] },
  ])('shows the cohort of the saved %j', ({ breakdown }) => {
    const breakdownFilter = { breakdown_type: 'cohort', breakdown };
    const query = { ...queryOf(DEFAULTS), breakdownFilter };
    const values = valuesOf(query);
    expect(values.by).toBe('cohort:7');
    expect(currentQuery(values, query)).toEqual({
      query: {
        ...query,
        breakdownFilter: { breakdown_type: 'cohort', breakdown: [7] },
      },
      more: [],
    });
  });

  it('has the chosen period again after custom dates', async () => {
    const { insights, user, address } = open('?from=2026-11-01&to=2026-11-03');
    await user.click(
      await screen.findByRole('button', { name: /Custom dates/ }),
    );
    await user.click(
      await screen.findByRole('option', { name: 'Last 7 days' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)?.dateRange).toEqual({ date_from: '-7d' }),
    );
    expect(address()).not.toContain('from=');
  });

  it('applies a typed day once it is complete', async () => {
    const { address } = open('?from=2026-11-01&to=2026-11-03');
    const from = await screen.findByLabelText('From');
    // The values that browsers report while a user types 05-Oct-2026.
    for (const day of ['', '0002-10-05', '0020-10-05', '0202-10-05']) {
      fireEvent.change(from, { target: { value: day } });
      expect(address()).toContain('from=2026-11-01');
      expect(from).toHaveValue(day);
    }
    fireEvent.change(from, { target: { value: '2026-10-05' } });
    await waitFor(() => expect(address()).toContain('from=2026-10-05'));
  });

  it('has no last day once its field is left empty, and always a first one', async () => {
    const { address } = open('?from=2026-11-01&to=2026-11-03');
    for (const name of ['From', 'To']) {
      const field = await screen.findByLabelText(name);
      fireEvent.change(field, { target: { value: '' } });
      fireEvent.blur(field);
    }
    await waitFor(() => expect(address()).not.toContain('to='));
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-01');
  });
});

describe('insights that programs save', () => {
  const saved = async (query: InsightQuery) => {
    const insights = new FakeInsightsApi();
    await insights.createInsight('default', { name: 'Saved', query });
    await insights.createDashboard('default', { name: 'All', tiles: ['i1'] });
    return insights;
  };
  const EVENTS: InsightQuery & EventsQuery = {
    kind: 'EventsQuery',
    select: ['event', 'count()'],
    after: '-90d',
    orderBy: ['count()'],
  };
  const OVERVIEW: InsightQuery = {
    kind: 'WebOverviewQuery',
    dateRange: { date_from: '-7d' },
  };

  it('are a table of the columns of an EventsQuery, on dashboards and alone', async () => {
    const insights = await saved(EVENTS);
    const api = new FakeEventsApi();
    const path = '/analytics/dashboards';
    const { user, address } = renderPlugin({ api, insights, path });
    const tile = await screen.findByRole('region', { name: 'Saved' });
    const onDashboard = await within(tile).findByRole('grid');
    expect(
      within(onDashboard).getByRole('columnheader', { name: 'count()' }),
    ).toBeVisible();
    expect(onDashboard).toHaveTextContent('signed up');
    await user.click(within(tile).getByRole('link', { name: 'Open Saved' }));
    expect(
      await screen.findByRole('button', { name: 'Download CSV' }),
    ).toBeVisible();
    expect(screen.getByRole('grid', { name: 'Saved' })).toHaveTextContent(
      'signed up',
    );
    expect(api.asked).toEqual([EVENTS, EVENTS]);
    expect(insights.asked).toEqual([]);
    const list = screen.getByRole('region', { name: 'Saved insights' });
    expect(list).toHaveTextContent('Table of events');
    expect(screen.queryByRole('button', { name: 'Save insight' })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Create insight' }));
    await screen.findByRole('button', { name: 'Save insight' });
    expect(address()).not.toContain('insight=');
  });

  it('have the period of the dashboard, which is in its address', async () => {
    const insights = await saved(OVERVIEW);
    const { user, address } = renderPlugin({
      insights,
      path: '/analytics/dashboards',
    });
    await screen.findByRole('region', { name: 'Saved' });
    await user.click(screen.getByRole('button', { name: /Period$/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Last 90 days' }),
    );
    await waitFor(() =>
      expect(insights.asked.at(-1)).toEqual({
        ...OVERVIEW,
        dateRange: { date_from: '-90d' },
      }),
    );
    expect(address()).toContain('period=-90d');
  });

  it('have their own period if the address has one that cannot be chosen', async () => {
    const insights = await saved(OVERVIEW);
    const path = '/analytics/dashboards?period=-900y';
    renderPlugin({ insights, path });
    await screen.findByRole('region', { name: 'Saved' });
    await waitFor(() => expect(insights.asked).toEqual([OVERVIEW]));
    expect(screen.getByRole('button', { name: /Period$/ })).toHaveTextContent(
      'As saved',
    );
  });

  it.each([
    ['its own period if their form has not all of them', 2, '-7d'],
    ['the period of the dashboard otherwise', undefined, '-90d'],
  ])('open with %s', async (_, smoothingIntervals, period) => {
    const query: InsightQuery = {
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
      dateRange: { date_from: '-7d' },
      ...(smoothingIntervals && { trendsFilter: { smoothingIntervals } }),
    };
    const insights = await saved(query);
    const path = '/analytics/dashboards?period=-90d';
    renderPlugin({ insights, path });
    const tile = await screen.findByRole('region', { name: 'Saved' });
    const column = await within(tile).findByRole('link', {
      name: /^20 Nov 2026: /,
    });
    expect(
      within(tile).getByRole('link', { name: 'Open Saved' }),
    ).toHaveAttribute('href', expect.stringContaining(`period=${period}`));
    // Another query than that of the tile would list other people.
    expect(/people=/.test(column.getAttribute('href')!)).toBe(
      period === '-90d',
    );
  });

  it('are not said to be missing from a dashboard when they fail to load', async () => {
    const insights = await saved(OVERVIEW);
    insights.getInsights = () => Promise.reject(new Error('down'));
    renderPlugin({ insights, path: '/analytics/dashboards' });
    expect(
      await screen.findByText("Couldn't load saved insights"),
    ).toBeVisible();
    expect(screen.queryByText('No insights')).toBeNull();
  });

  it('are removed from a dashboard one after another, each with undo', async () => {
    const insights = await saved(OVERVIEW);
    const { query } = insights.insights[0];
    await insights.createInsight('default', { name: 'Other', query });
    const [dashboard] = insights.dashboards;
    const tiles = insights.insights.map(({ id }) => id);
    insights.dashboards = [{ ...dashboard, tiles }];
    const changeDashboard = insights.changeDashboard.bind(insights);
    insights.changeDashboard = async (projectId, over, changes) => {
      if (over.version !== insights.dashboards[0].version) {
        throw new Error('conflict');
      }
      return changeDashboard(projectId, over, changes);
    };
    const { user } = renderPlugin({ insights, path: '/analytics/dashboards' });
    const remove = await screen.findByRole('button', { name: 'Remove Saved' });
    const other = screen.getByRole('button', { name: 'Remove Other' });
    await Promise.all([user.click(remove), user.click(other)]);
    await waitFor(() => expect(insights.dashboards[0].tiles).toEqual([]));
    const undo = () => screen.getAllByRole('button', { name: 'Undo' });
    await waitFor(() => expect(undo()).toHaveLength(2));
    await user.click(undo()[0]);
    await waitFor(() => expect(insights.dashboards[0].tiles).toHaveLength(1));
  });

  it('are a number if they ask for the whole period', async () => {
    const insights = await saved({
      kind: 'TrendsQuery',
      series: [{ kind: 'EventsNode', event: 'bought', math: 'dau' }],
      trendsFilter: { display: 'BoldNumber' },
    });
    renderPlugin({ insights, path: '/analytics/dashboards' });
    const tile = await screen.findByRole('region', { name: 'Saved' });
    expect(
      await within(tile).findByRole('group', { name: 'bought' }),
    ).toHaveTextContent('1,234');
  });

  it('are the figures of a WebOverviewQuery, on dashboards and alone', async () => {
    const insights = await saved(OVERVIEW);
    const path = '/analytics/dashboards';
    const { user } = renderPlugin({ insights, path });
    const tile = await screen.findByRole('region', { name: 'Saved' });
    expect(
      await within(tile).findByRole('group', { name: 'Bounce rate' }),
    ).toHaveTextContent('41%');
    await user.click(within(tile).getByRole('link', { name: 'Open Saved' }));
    await screen.findByRole('link', { name: 'Create insight' });
    expect(
      await screen.findByRole('group', { name: 'Visitors' }),
    ).toHaveTextContent('1,248');
    expect(insights.asked).toEqual([OVERVIEW, OVERVIEW]);
    await user.click(screen.getByRole('button', { name: 'Delete insight' }));
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', {
        name: 'Delete insight',
      }),
    );
    await screen.findByRole('button', { name: 'Save insight' });
    expect(insights.insights).toEqual([]);
  });

  it('are kept if the deletion fails, which is explained', async () => {
    const insights = await saved(OVERVIEW);
    insights.deleteInsight = () =>
      Promise.reject(new TypeError('Failed to fetch'));
    const { user } = renderPlugin({
      insights,
      path: `/analytics/insights?insight=${insights.insights[0].id}`,
    });
    await user.click(
      await screen.findByRole('button', { name: 'Delete insight' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.click(
      within(dialog).getByRole('button', { name: 'Delete insight' }),
    );
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      "Couldn't reach the portal.",
    );
    expect(insights.insights).toHaveLength(1);
  });
});

describe('saved queries', () => {
  it('have the defaults of the service where a program left out settings', () => {
    expect(valuesOf({ kind: 'RetentionQuery' })).toEqual({
      ...DEFAULTS,
      kind: 'RetentionQuery',
      events: '$pageview',
      returning: '$pageview',
      tests: 'in',
    });
  });

  it.each([
    { events: 'a\nb', math: 'total\ndau', formula: 'A / B' },
    { events: 'a\nb', math: 'avg\np95', of: 'price\nsize' },
    { events: 'a', math: 'dau', by: 'user:plan' },
    { events: 'a\nb', math: 'total\nunique_group:1' },
    { events: '*', filters: '[{"type":"person","key":"plan","value":"pro"}]' },
    { kind: 'FunnelsQuery', events: 'a\nb', by: 'plan', window: '3' },
    { kind: 'FunnelsQuery', events: 'a\nb', viz: 'trends', interval: 'week' },
    { kind: 'RetentionQuery', events: 'a', returning: 'b', period: '-30d' },
    {
      kind: 'RetentionQuery',
      events: 'a',
      returning: 'b',
      by: 'user:plan',
      interval: 'week',
      intervals: '12',
      to: '2026-11-01',
    },
    {
      kind: 'FunnelsQuery',
      events: 'a\nb',
      viz: 'trends',
      by: 'plan',
    },
    { kind: 'PathsQuery', start: '/pricing', events: '' },
  ])('have the values of the form again: %j', changes => {
    const values = { ...DEFAULTS, ...changes, tests: 'in' };
    const query = queryOf(values);
    expect(valuesOf(query)).toEqual(values);
    expect(currentQuery(values, query)).toEqual({ query, more: [] });
  });
});
