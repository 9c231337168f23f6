import { screen, waitFor, within } from '@testing-library/react';
import { FakeSpaceApi } from '../../__testUtils__/FakeSpaceApi';
import { renderPlugin } from '../../__testUtils__/renderPlugin';
import {
  aHiddenReport,
  anEmptyReport,
  aReport,
} from '../../__testUtils__/reports';
import { DIMENSIONS } from '../../api/SpaceApi';

async function findPanel(name: string) {
  return screen.findByRole('region', { name });
}

describe('OverviewPage', () => {
  it('shows each number with unit, change and samples', async () => {
    const api = new FakeSpaceApi();
    renderPlugin({ api, path: '/experience' });

    const rating = await screen.findByRole('group', { name: 'Rating' });
    expect(rating).toHaveTextContent('4.1 of 5');
    expect(rating).toHaveTextContent(
      '0.5 points higher than in the previous 30 days (better)',
    );
    expect(rating).toHaveTextContent('9 answers');
    expect(
      screen.getByText(
        '4 would recommend working here, 2 are neutral, 3 would not.',
      ),
    ).toBeVisible();

    const lead = screen.getByRole('group', { name: 'Lead time' });
    expect(lead).toHaveTextContent('19 h 24 min');
    expect(lead).toHaveTextContent(
      '14% longer than in the previous 30 days (worse)',
    );
    expect(
      within(await findPanel('Satisfaction')).getByText('Improving'),
    ).toBeVisible();
  });

  it.each([
    [6, true],
    [0, false],
  ])(
    'compares with a score of 0 from %i answers: %s',
    async (answers, isCompared) => {
      const api = new FakeSpaceApi();
      api.values = { enps_score: 0, response_count: answers, avg_rating: 0 };
      renderPlugin({ api, path: '/experience' });
      const score = await screen.findByRole('group', { name: 'eNPS' });
      expect(/12 points higher/.test(score.textContent ?? '')).toBe(isCompared);
      expect(
        screen.getByRole('group', { name: 'Rating' }),
      ).not.toHaveTextContent('previous');
    },
  );

  it('compares totals by the weeks that they cover', async () => {
    const api = new FakeSpaceApi();
    api.values = { prs_merged: 50, commits_per_week: 50 };
    api.reports.activity = aReport('activity', {
      values: { prs_merged: 40, commits_per_week: 40, active_days: 8 },
      weeks: { current: 4, previous: 5 },
    });
    renderPlugin({ api, path: '/experience' });
    const panel = await findPanel('Activity');
    const tile = (name: string) => within(panel).findByRole('group', { name });
    expect(await tile('Merged pull requests')).toHaveTextContent(
      'About the same',
    );
    expect(await tile('Commits')).toHaveTextContent('20% less');
  });

  it('never rates activity, and explains what it is not for', async () => {
    renderPlugin({ api: new FakeSpaceApi(), path: '/experience' });
    const panel = await findPanel('Activity');
    const commits = await within(panel).findByRole('group', {
      name: 'Commits',
    });
    expect(commits).toHaveTextContent('106% more than in the previous 30 days');
    expect(panel).not.toHaveTextContent(/better|worse|improving/i);
    expect(panel).toHaveTextContent('Set no targets on it');
  });

  it('shows why a number is hidden instead of 0', async () => {
    const api = new FakeSpaceApi();
    api.reports.satisfaction = aHiddenReport('satisfaction');
    renderPlugin({ api, path: '/experience' });
    const rating = await screen.findByRole('group', { name: 'Rating' });
    expect(rating).toHaveTextContent('Hidden');
    expect(rating).toHaveTextContent('fewer than 5 people');
    expect(rating).not.toHaveTextContent('0');
    // The number of answers is not hidden.
    expect(screen.getByRole('group', { name: 'Answers' })).toHaveTextContent(
      '3',
    );
    expect(
      within(await findPanel('Satisfaction')).getByRole('table'),
    ).toHaveTextContent('Hidden: no results, or fewer than 5 people');
  });

  it('draws the line of surveys across the weeks between them', async () => {
    const api = new FakeSpaceApi();
    const { series } = aReport('satisfaction');
    const [between] = aHiddenReport('satisfaction').series;
    api.reports.satisfaction = aReport('satisfaction', {
      series: [series[0], { ...between, startDate: '2026-11-05' }, series[1]],
    });
    renderPlugin({ api, path: '/experience' });
    const chart = await screen.findByRole('group', { name: 'Rating by week' });
    const lines = [...chart.querySelectorAll('path')];
    expect(lines.some(line => line.getAttribute('d'))).toBe(true);
  });

  it('marks outdated deliveries', async () => {
    const api = new FakeSpaceApi();
    api.reports.performance = aReport('performance', { stale: true });
    renderPlugin({ api, path: '/experience' });
    expect(
      await screen.findByText(/^The delivery lake is not responding/),
    ).toBeVisible();
  });

  it('queries the scope and period in the URL, and links points to their days', async () => {
    const api = new FakeSpaceApi();
    const { user, address } = renderPlugin({
      api,
      path: '/experience?team=payments&period=2026-11-02..2026-11-15&granularity=monthly',
    });
    const chart = await screen.findByRole('group', {
      name: 'Rating by month',
    });
    const dates = {
      team: 'payments',
      startDate: '2026-11-02',
      endDate: '2026-11-15',
    };
    expect(api.asked).toContainEqual({
      method: 'getDimension',
      query: { ...dates, granularity: 'monthly' },
    });
    expect(api.asked).toContainEqual({
      method: 'getValues',
      query: {
        team: 'payments',
        startDate: '2026-10-19',
        endDate: '2026-11-01',
      },
    });

    await user.click(
      within(chart).getByRole('link', {
        name: '2 – 8 Nov 2026: 4.1 of 5, 9 answers',
      }),
    );
    const { searchParams } = new URL(address(), 'http://portal');
    expect(Object.fromEntries(searchParams)).toEqual({
      team: 'payments',
      period: '2026-11-02..2026-11-08',
      granularity: 'daily',
    });
  });

  it('shows the way in while nothing is measured', async () => {
    const api = new FakeSpaceApi();
    DIMENSIONS.forEach(name => {
      api.reports[name] = anEmptyReport(name);
    });
    renderPlugin({ api, path: '/experience' });
    expect(await screen.findByText('No data yet')).toBeVisible();
    expect(
      screen.getByRole('link', { name: 'Answer the pulse survey' }),
    ).toHaveAttribute('href', '/experience/pulse');
    expect(
      screen.getByText(/^curl -X POST .*\/api\/v1\/surveys\/pulse\/submit/),
    ).toBeVisible();
  });

  it('shows once that the service is not responding, and retries', async () => {
    const api = new FakeSpaceApi();
    await api.refuse('getDimension', { status: 504, message: 'No answer' });
    const { user } = renderPlugin({ api, path: '/experience' });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('The experience service is not responding');
    expect(alert).toHaveTextContent('req-42');

    api.recover();
    await user.click(within(alert).getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('group', { name: 'eNPS' })).toBeVisible();
  });

  it('shows who grants access', async () => {
    const api = new FakeSpaceApi();
    await api.refuse('getDimension', { status: 403, message: 'No' });
    renderPlugin({ api, path: '/experience' });
    expect(
      await screen.findByText('No access to experience data'),
    ).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('prompts for a due survey, with an option to snooze until tomorrow', async () => {
    const api = new FakeSpaceApi();
    const { user } = renderPlugin({ api, path: '/experience' });
    const banner = await findPanel('Reminders');
    await user.click(
      within(banner).getByRole('button', { name: 'Remind me tomorrow' }),
    );
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Reminders' })).toBeNull(),
    );
    const hours =
      (Date.parse(api.reminder.snoozedUntil ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(25);
  });
});
