import { refusal } from '@slipway/test-pages';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { definitionOf, FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { InsightQuery } from '../api/InsightQuery';

const SQL = 'SELECT event, count() AS total FROM events GROUP BY event';
const SAVED: InsightQuery = { kind: 'HogQLQuery', query: SQL };

function open(
  search = '',
  { api = new FakeEventsApi(), insights = new FakeInsightsApi() } = {},
) {
  const path = `/analytics/query?language=sql${search}`;
  return { api, insights, ...renderPlugin({ api, insights, path }) };
}

const field = () =>
  screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Query' });

it('runs what is typed with Ctrl+Enter, and keeps it in the URL', async () => {
  const { api, user, address } = open();
  const area = await field();
  expect(screen.getByRole('button', { name: 'Run' })).toBeDisabled();
  await user.type(area, 'SELECT 1{Enter}FROM events');
  expect(api.askedSql).toEqual([]);
  await user.keyboard('{Control>}{Enter}{/Control}');
  const table = await screen.findByRole('grid', { name: 'Result' });
  expect(within(table).getByRole('row', { name: /signed up/ })).toBeVisible();
  expect(
    screen.getAllByText(/^2 rows in \d+ ms$/, { selector: '[role=status]' }),
  ).toHaveLength(1);
  expect(api.askedSql).toEqual([
    { kind: 'HogQLQuery', query: 'SELECT 1\nFROM events' },
  ]);
  expect(new URLSearchParams(address().split('?')[1]).get('sql')).toBe(
    'SELECT 1\nFROM events',
  );
  await user.click(screen.getByRole('button', { name: 'Run' }));
  await waitFor(() => expect(api.askedSql).toHaveLength(2));
});

it('says why a query is invalid, and moves the cursor to where', async () => {
  const api = new FakeEventsApi();
  api.failure = await refusal(
    400,
    "query.query calls 'sleep', which is not available (at character 8: 'sleep')",
  );
  const { user } = open('&sql=SELECT%20sleep(3)%20FROM%20events', { api });
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent("The query calls 'sleep', which is not");
  const area = await field();
  expect(area).toBeInvalid();
  expect(area).toHaveAccessibleDescription(/calls 'sleep'/);
  await user.click(
    screen.getByRole('button', { name: 'Go to line 1, column 8' }),
  );
  await waitFor(() => expect(area).toHaveFocus());
  expect(area.selectionStart).toBe(7);
});

it('offers a retry if the service failed', async () => {
  const api = new FakeEventsApi();
  api.failure = await refusal(500);
  open('&sql=SELECT%201%20FROM%20events', { api });
  expect(await screen.findByRole('button', { name: 'Retry' })).toBeVisible();
  expect(await field()).toBeValid();
});

it('offers examples, and the names of events and properties', async () => {
  const api = new FakeEventsApi();
  api.definitions.event = [definitionOf('signed up')];
  api.definitions.person = [definitionOf('plan of today')];
  const { user } = open('', { api });
  await user.click(
    await screen.findByRole('button', { name: 'Pages by visitors' }),
  );
  await waitFor(() =>
    expect(api.askedSql.at(-1)?.query ?? '').toContain('$pathname'),
  );
  await waitFor(() =>
    expect(screen.queryByRole('region', { name: 'Examples' })).toBeNull(),
  );

  const area = await field();
  await user.clear(area);
  await user.click(screen.getByRole('button', { name: 'Pages by visitors' }));
  await waitFor(() => expect(area.value).toContain('$pathname'));

  fireEvent.change(area, { target: { value: 'a = ' } });
  area.setSelectionRange(4, 4);
  await user.click(
    screen.getByRole('button', { name: /Insert event or property/ }),
  );
  expect(
    await screen.findByRole('option', {
      name: "person.properties['plan of today']",
    }),
  ).toBeVisible();
  await user.click(screen.getByRole('option', { name: "'signed up'" }));
  await waitFor(() => expect(area).toHaveValue("a = 'signed up'"));
});

it('describes the columns and functions on request', async () => {
  const { user } = open();
  const summary = await screen.findByText('Columns and functions');
  expect(screen.getByText('person_id')).not.toBeVisible();
  await user.click(summary);
  expect(screen.getByText('person_id')).toBeVisible();
  expect(screen.getByText(/^count\(\), uniq\(person_id\)/)).toBeVisible();
});

it('adds a saved query to a dashboard, and does not give its name to an edited one', async () => {
  const insights = new FakeInsightsApi();
  await insights.createInsight('default', { name: 'Totals', query: SAVED });
  await insights.createDashboard('default', { name: 'Overview', tiles: [] });
  const { user } = open(`&insight=i1&sql=${encodeURIComponent(SQL)}`, {
    insights,
  });
  expect(await screen.findByRole('grid', { name: 'Totals' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Add to dashboard' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Overview' }));
  await waitFor(() => expect(insights.dashboards[0].tiles).toEqual(['i1']));
  await user.type(await field(), ' LIMIT 5{Control>}{Enter}{/Control}');
  expect(await screen.findByRole('grid', { name: 'Result' })).toBeVisible();
  expect(screen.queryByRole('grid', { name: 'Totals' })).toBeNull();
});

it('keeps what is typed and not run while the form is shown', async () => {
  const { api, user, address } = open(`&sql=${encodeURIComponent(SQL)}`);
  await user.type(await field(), ' LIMIT 5');
  await user.click(screen.getByRole('radio', { name: 'Form' }));
  const where = await screen.findByRole('textbox', { name: 'Filters' });
  await user.type(where, "properties.plan = 'pro'");
  await user.click(screen.getByRole('radio', { name: 'SQL' }));
  expect(await field()).toHaveValue(`${SQL} LIMIT 5`);
  await user.click(screen.getByRole('radio', { name: 'Form' }));
  expect(await screen.findByRole('textbox', { name: 'Filters' })).toHaveValue(
    "properties.plan = 'pro'",
  );
  expect(api.askedSql.every(({ query }) => query === SQL)).toBe(true);
  expect(address()).not.toContain('LIMIT');
});

it('saves a query, which the lists of insights open again', async () => {
  const { insights, user, address } = open(`&sql=${encodeURIComponent(SQL)}`);
  await user.click(await screen.findByRole('button', { name: 'Save insight' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(
    within(dialog).getByRole('textbox', { name: 'Name' }),
    'Totals',
  );
  await user.click(
    within(dialog).getByRole('button', { name: 'Save insight' }),
  );
  expect(await screen.findByRole('grid', { name: 'Totals' })).toBeVisible();
  expect(insights.insights).toMatchObject([{ name: 'Totals', query: SAVED }]);
  expect(address()).toContain('insight=i1');
  const link = screen.getByRole('link', { name: 'Totals' });
  expect(link).toHaveAttribute(
    'href',
    expect.stringMatching(/\/analytics\/query\?.*language=sql/),
  );
  await user.click(screen.getByRole('button', { name: 'Delete insight' }));
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', {
      name: 'Delete insight',
    }),
  );
  await waitFor(() => expect(insights.insights).toEqual([]));
  expect(await field()).toHaveValue('');
});

it('is a table on dashboards', async () => {
  const api = new FakeEventsApi();
  const insights = new FakeInsightsApi();
  await insights.createInsight('default', { name: 'Totals', query: SAVED });
  await insights.createDashboard('default', {
    name: 'Overview',
    tiles: ['i1'],
  });
  renderPlugin({ api, insights, path: '/analytics/dashboards' });
  const table = await screen.findByRole('grid', { name: 'Totals' });
  expect(table).toHaveTextContent('signed up');
  expect(api.askedSql).toEqual([SAVED]);
  expect(screen.getByRole('link', { name: 'Open Totals' })).toHaveAttribute(
    'href',
    expect.stringContaining('/analytics/query?'),
  );
});

it('runs a saved query with its own filters, once it is loaded, wherever it is opened', async () => {
  const insights = new FakeInsightsApi();
  const query: InsightQuery = {
    kind: 'HogQLQuery',
    query: 'SELECT 1 FROM events WHERE {filters}',
    filters: { dateRange: { date_from: '-7d' } },
  };
  await insights.createInsight('project', { name: 'A week', query });
  const api = new FakeEventsApi();
  renderPlugin({ api, insights, path: '/analytics/insights?insight=i1' });
  expect(await screen.findByRole('grid', { name: 'A week' })).toBeVisible();
  expect(api.askedSql).toEqual([
    { ...query, filters: { ...query.filters, filterTestAccounts: false } },
  ]);
  expect(insights.asked).toEqual([]);
});
