import { screen, waitFor, within } from '@testing-library/react';
import { cohortOf, FakeCohortsApi } from '../__testUtils__/FakeCohortsApi';
import { FakeEventsApi, projectOf } from '../__testUtils__/FakeEventsApi';
import { FakeInsightsApi } from '../__testUtils__/FakeInsightsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const filters = [
  {
    type: 'person',
    key: 'email',
    operator: 'not_icontains',
    value: '@ourcompany.example',
  },
];

function apiWith(isDefault: boolean): FakeEventsApi {
  const api = new FakeEventsApi();
  api.projects = [projectOf('web', { testAccounts: { filters, isDefault } })];
  return api;
}

beforeEach(() => localStorage.clear());

describe('test accounts', () => {
  it('are defined by filters, which admins add, complete and save', async () => {
    const api = new FakeEventsApi();
    api.projects = [projectOf('web')];
    const { user } = renderPlugin({ api, path: '/analytics/settings' });
    const panel = await screen.findByRole('region', { name: 'Test accounts' });
    expect(panel).toHaveTextContent('No filters: all events count.');
    await user.click(within(panel).getByRole('button', { name: 'Add filter' }));
    const filter = within(panel).getByRole('group', { name: 'Filter 1' });
    const save = within(panel).getByRole('button', {
      name: 'Save test accounts',
    });
    await user.click(save);
    // Nothing is saved without a value.
    expect(api.projects[0].testAccounts.filters).toEqual([]);
    const value = within(filter).getByRole('textbox', { name: 'Value' });
    expect(value).toBeInvalid();
    await user.type(value, ' @ourcompany.example');
    await user.click(within(panel).getByRole('checkbox'));
    await user.click(save);
    await waitFor(() =>
      expect(api.projects[0].testAccounts).toEqual({
        filters,
        isDefault: true,
      }),
    );
    expect(await within(panel).findByText('Saved')).toBeVisible();
    await user.click(
      within(panel).getByRole('button', { name: 'Remove filter 1' }),
    );
    expect(within(panel).queryByText('Saved')).toBeNull();
  });

  it('can be defined by a cohort', async () => {
    const api = new FakeEventsApi();
    api.projects = [projectOf('web')];
    const cohorts = new FakeCohortsApi([cohortOf(3, { name: 'Testers' })]);
    const path = '/analytics/settings';
    const { user } = renderPlugin({ api, cohorts, path });
    const panel = await screen.findByRole('region', { name: 'Test accounts' });
    await user.click(within(panel).getByRole('button', { name: 'Add filter' }));
    const choose = async (name: RegExp, option: string) => {
      await user.click(within(panel).getByRole('button', { name }));
      await user.click(await screen.findByRole('option', { name: option }));
    };
    await choose(/Property of/, 'Cohort');
    await choose(/Condition/, 'not in');
    await choose(/Cohort$/, 'Testers');
    await user.click(
      within(panel).getByRole('button', { name: 'Save test accounts' }),
    );
    const filter = { type: 'cohort', key: 'id', operator: 'not_in', value: 3 };
    await waitFor(() =>
      expect(api.projects[0].testAccounts.filters).toEqual([filter]),
    );
  });

  it('are shown, but not changed, to those who may not manage the project', async () => {
    const api = apiWith(false);
    api.mayManage = false;
    const [project] = api.projects;
    const outside = { type: 'cohort', key: 'id', operator: 'not_in', value: 3 };
    api.projects = [
      {
        ...project,
        testAccounts: { filters: [...filters, outside], isDefault: false },
      },
    ];
    const cohorts = new FakeCohortsApi([cohortOf(3, { name: 'Testers' })]);
    renderPlugin({ api, cohorts, path: '/analytics/settings' });
    const panel = await screen.findByRole('region', { name: 'Test accounts' });
    expect(panel).toHaveTextContent(
      "email doesn't contain @ourcompany.example",
    );
    expect(
      await within(panel).findByText('Not in the cohort Testers'),
    ).toBeVisible();
    expect(within(panel).queryByRole('button')).toBeNull();
  });

  it('are excluded from insights according to the switch, or else the project', async () => {
    const insights = new FakeInsightsApi();
    const { user, address } = renderPlugin({
      api: apiWith(true),
      insights,
      path: '/analytics/insights',
    });
    const toggle = await screen.findByRole('switch', {
      name: 'Leave out test accounts',
    });
    expect(toggle).toBeChecked();
    await waitFor(() =>
      expect(insights.asked.at(-1)).toMatchObject({ filterTestAccounts: true }),
    );
    await user.click(toggle);
    await waitFor(() => expect(address()).toContain('tests=in'));
    await waitFor(() =>
      expect(insights.asked.at(-1)).not.toHaveProperty('filterTestAccounts'),
    );
  });

  it('are excluded from the web overview and from queries', async () => {
    const api = apiWith(false);
    const { user } = renderPlugin({ api, path: '/analytics/query' });
    await user.click(await screen.findByRole('switch'));
    await waitFor(() =>
      expect(api.asked.at(-1)).toMatchObject({ filterTestAccounts: true }),
    );
  });

  it('cannot be excluded if the project does not define them', async () => {
    const api = new FakeEventsApi();
    renderPlugin({ api, path: '/analytics/web' });
    await screen.findByText(/in the last 5 minutes/);
    expect(screen.queryByRole('switch')).toBeNull();
  });
});
