import { RiArrowRightDownLine, RiArrowRightUpLine } from '@remixicon/react';
import { render, screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../../__testUtils__/FakeDeliveryLakeApi';
import {
  aComparison,
  aMetric,
  aPoint,
  noData,
  someMetrics,
  someSeries,
} from '../../__testUtils__/metrics';
import { renderPlugin } from '../../__testUtils__/renderPlugin';

describe('OverviewPage', () => {
  it('shows each metric with level, change, samples and guesses', async () => {
    const api = new FakeDeliveryLakeApi();
    api.metrics = someMetrics(
      {
        changeFailureRate: {
          value: 9,
          trend: 'increasing',
          performance: 'medium',
          previous: { value: 6, samples: 38 },
        },
        timeToRestoreService: noData('timeToRestoreService'),
      },
      { failures: { linked: 2, guessed: 1 }, openIncidents: 1 },
    );
    renderPlugin({ api, path: '/delivery' });

    const failures = await screen.findByRole('group', {
      name: 'Change failure rate',
    });
    expect(failures).toHaveTextContent('9%Medium');
    expect(failures).toHaveTextContent(
      '50% higher than in the previous 30 days (worse)',
    );
    expect(failures).toHaveTextContent(
      'of 40 deployments · 1 failure guessed from timing',
    );

    const restore = screen.getByRole('group', {
      name: 'Time to restore service',
    });
    expect(restore).toHaveTextContent('No data');
    expect(restore).toHaveTextContent('1 open incident');
    expect(restore).not.toHaveTextContent('Low');
  });

  it('queries the scope and period in the URL, and also shows a table', async () => {
    const api = new FakeDeliveryLakeApi();
    api.series = someSeries({
      points: [
        aPoint('2026-11-02', '2026-11-08'),
        aPoint('2026-11-09', '2026-11-15', { provisional: true }),
      ],
    });
    renderPlugin({
      api,
      path: '/delivery?scope=team:payments&period=2026-11-02..2026-11-15',
    });
    const table = await screen.findByRole('table', {
      name: 'Lead time for changes by week',
    });
    expect(within(table).getAllByRole('row')[1]).toHaveTextContent(
      '9 – 15 Nov 202619 h 24 min10 changes, recent, may still change',
    );
    expect(api.asked).toContainEqual({
      method: 'getSeries',
      query: {
        team: 'payments',
        startDate: '2026-11-02',
        endDate: '2026-11-15',
        interval: 'week',
      },
    });
    expect(
      screen.getByRole('combobox', { name: 'Team, project or service' }),
    ).toHaveValue('Payments');
  });

  it('leads from a point to the failed deployments of its week', async () => {
    const { user, address } = renderPlugin({
      api: new FakeDeliveryLakeApi(),
      path: '/delivery?scope=team:payments',
    });
    const chart = await screen.findByRole('group', {
      name: 'Change failure rate by week',
    });
    await user.click(
      within(chart).getByRole('link', { name: /^2 – 8 Nov 2026: 7.5%/ }),
    );
    const { pathname, searchParams } = new URL(address(), 'http://portal');
    expect(pathname).toBe('/delivery/deployments');
    expect(Object.fromEntries(searchParams)).toEqual({
      scope: 'team:payments',
      period: '2026-11-02..2026-11-08',
      failed: 'true',
    });
  });

  it('filters by a part on selection, and sorts parts without data last', async () => {
    const api = new FakeDeliveryLakeApi();
    api.parts = [
      aComparison('idle', { leadTimeForChanges: noData('leadTimeForChanges') }),
      aComparison('slow', { leadTimeForChanges: { value: 300 } }),
      aComparison('payments', { leadTimeForChanges: { value: 3 } }),
    ];
    const { user, address } = renderPlugin({ api, path: '/delivery' });
    const grid = await screen.findByRole('grid', { name: 'By team' });
    await user.click(
      within(grid).getByRole('columnheader', { name: 'Lead time' }),
    );
    const names = within(grid)
      .getAllByRole('rowheader')
      .map(cell => cell.textContent);
    expect(names).toEqual(['payments', 'slow', 'idle']);

    await user.click(within(grid).getByRole('link', { name: 'payments' }));
    expect(address()).toBe('/delivery?scope=team%3Apayments');
    expect(await screen.findByText('By service')).toBeVisible();
  });

  it('names where to improve, as a way there', async () => {
    const api = new FakeDeliveryLakeApi();
    const { value, unit, trend, samples } = aMetric('changeFailureRate', {
      value: 21,
    });
    api.improvements = [
      {
        metric: 'changeFailureRate',
        scope: { by: 'service', name: 'checkout', title: 'checkout' },
        performance: 'low',
        reason: 'low-level',
        value,
        unit,
        trend,
        samples,
      },
    ];
    renderPlugin({ api, path: '/delivery?period=90d' });
    const panel = await screen.findByRole('region', {
      name: 'Where to improve',
    });
    const link = await within(panel).findByRole('link', { name: 'checkout' });
    expect(link).toHaveAttribute(
      'href',
      '/delivery?scope=service%3Acheckout&period=90d',
    );
    expect(panel).toHaveTextContent('21%, level low');
  });

  it.each([
    ['increasing', 'rising', RiArrowRightUpLine],
    ['decreasing', 'falling', RiArrowRightDownLine],
  ] as const)(
    'points in the direction of a metric that is %s and got worse',
    async (trend, word, Icon) => {
      const api = new FakeDeliveryLakeApi();
      const { value, unit, samples } = aMetric('changeFailureRate');
      api.improvements = [
        {
          metric: 'changeFailureRate',
          scope: { by: 'service', name: 'checkout', title: 'checkout' },
          performance: 'high',
          reason: 'got-worse',
          value,
          unit,
          trend,
          samples,
        },
      ];
      renderPlugin({ api, path: '/delivery' });
      const words = await screen.findByText(RegExp(`, ${word} and worse`));
      const drawn = (root: Element | null) =>
        root?.querySelector('svg path')?.getAttribute('d');
      expect(drawn(words.closest('li'))).toBe(
        drawn(render(<Icon />).container),
      );
    },
  );

  it.each([
    ['stable', /Nothing stands out: .* and none got worse/],
    [
      'increasing',
      'No team or service stands out. Worse overall: Change failure rate.',
    ],
  ] as const)(
    'says of a %s failure rate what its tile says',
    async (trend, words) => {
      const api = new FakeDeliveryLakeApi();
      api.improvements = [];
      api.metrics = someMetrics({
        changeFailureRate: {
          value: 9,
          trend,
          performance: 'elite',
          previous: { value: 6, samples: 38 },
        },
      });
      renderPlugin({ api, path: '/delivery' });
      expect(await screen.findByText(words)).toBeVisible();
      const tile = screen.getByRole('group', { name: 'Change failure rate' });
      expect(/\(worse\)/.test(tile.textContent ?? '')).toBe(
        trend === 'increasing',
      );
    },
  );

  it('keeps the page if one request fails, and retries', async () => {
    const api = new FakeDeliveryLakeApi();
    await api.refuseNext('getMetrics', {
      status: 500,
      message: 'The database is gone',
    });
    const { user } = renderPlugin({ api, path: '/delivery' });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent("Couldn't load metrics");
    expect(alert).toHaveTextContent('The database is gone');
    expect(
      await screen.findByRole('group', {
        name: 'Lead time for changes by week',
      }),
    ).toBeVisible();
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(
      await screen.findByRole('group', { name: 'Lead time for changes' }),
    ).toBeVisible();
  });

  it('shows who can grant access', async () => {
    const api = new FakeDeliveryLakeApi();
    await api.refuseNext('getStatus', { status: 403, message: 'No' });
    renderPlugin({ api, path: '/delivery' });
    expect(await screen.findByText('No access to delivery data')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows the ways in while the lake is empty, and notices the first deployment', async () => {
    const api = new FakeDeliveryLakeApi();
    api.status = { ...api.status, deployments: 0 };
    renderPlugin({
      api,
      path: '/delivery',
      config: { app: { signIn: { method: 'development' } } },
    });
    expect(await screen.findByText('No deployments yet')).toBeVisible();
    expect(
      screen.getByText(
        /^curl -X POST http:\/\/localhost:7007\/api\/delivery-lake\/deployments .*dev-service-token/,
      ),
    ).toBeVisible();
    expect(
      screen.getByText(
        'http://localhost:7007/api/delivery-lake/webhooks/gitlab',
      ),
    ).toBeVisible();

    api.status = { ...api.status, deployments: 1 };
    await waitFor(() =>
      expect(
        screen.getByRole('group', { name: 'Deployment frequency' }),
      ).toBeVisible(),
    );
  });
});
