import { screen, waitFor, within } from '@testing-library/react';
import { cohortOf, FakeCohortsApi } from '../__testUtils__/FakeCohortsApi';
import { FakePeopleApi } from '../__testUtils__/FakePeopleApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { PeopleSource } from '../api/PeopleApi';

const path = '/analytics/cohorts';

beforeEach(() => localStorage.clear());

it('creates a cohort by conditions, and shows who is in it', async () => {
  const cohorts = new FakeCohortsApi();
  const people = new FakePeopleApi();
  const { user, address } = renderPlugin({ cohorts, people, path });
  expect(await screen.findByText('No cohorts yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create cohort' }));
  const dialog = within(await screen.findByRole('dialog'));
  const submit = dialog.getByRole('button', { name: 'Create cohort' });
  await user.click(submit);
  expect(dialog.getByText('Enter a name')).toBeVisible();
  expect(dialog.getByRole('alert')).toHaveTextContent(/Fill in the fields/);
  await user.click(dialog.getByRole('textbox', { name: 'Name' }));
  await user.paste('Customers');
  const first = within(dialog.getByRole('group', { name: 'Condition 1' }));
  await user.type(first.getByRole('combobox', { name: 'Property' }), 'plan');
  await user.tab();
  await user.click(first.getByRole('textbox', { name: 'Value' }));
  await user.paste('pro');
  await user.click(dialog.getByRole('button', { name: 'Add condition' }));
  const second = within(dialog.getByRole('group', { name: 'Condition 2' }));
  await user.click(second.getByRole('button', { name: /Condition on/ }));
  await user.click(await screen.findByRole('option', { name: 'Event' }));
  await user.type(second.getByRole('combobox', { name: 'Event' }), 'bought');
  await user.tab();
  const times = second.getByRole('textbox', { name: 'Times' });
  await user.clear(times);
  await user.type(times, '3');
  await user.click(submit);
  await waitFor(() =>
    expect(cohorts.created).toEqual([
      {
        name: 'Customers',
        description: '',
        is_static: false,
        filters: {
          properties: {
            type: 'AND',
            values: [
              { type: 'person', key: 'plan', operator: 'exact', value: 'pro' },
              {
                type: 'behavioral',
                key: 'bought',
                value: 'performed_event_multiple',
                operator: 'gte',
                operator_value: 3,
                time_value: 30,
                time_interval: 'day',
              },
            ],
          },
        },
      },
    ]),
  );
  const panel = await screen.findByRole('complementary', { name: 'Customers' });
  expect(address()).toContain('cohort=1');
  expect(within(panel).getByText('User property plan is pro')).toBeVisible();
  expect(
    within(panel).getByText('bought at least 3 times in the last 30 days'),
  ).toBeVisible();
  expect(
    await within(panel).findByRole('link', { name: 'ada@example.com' }),
  ).toBeVisible();
  expect(people.askedActors.at(-1)).toMatchObject({
    filters: [{ key: 'id', type: 'cohort', value: 1, operator: 'in' }],
  });
});

it('creates a fixed list from ids', async () => {
  const cohorts = new FakeCohortsApi([cohortOf(1)]);
  const { user } = renderPlugin({ cohorts, path });
  await user.click(
    await screen.findByRole('button', { name: 'Create cohort' }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('textbox', { name: 'Name' }));
  await user.paste('Friends');
  await user.click(dialog.getByRole('radio', { name: 'A fixed list' }));
  const submit = dialog.getByRole('button', { name: 'Create cohort' });
  await user.click(submit);
  const ids = dialog.getByRole('textbox', { name: 'User IDs' });
  expect(ids).toBeInvalid();
  await user.click(ids);
  await user.paste('distinct_id,email\nada,ada@example.com\n"o""neil"\n\nada');
  await user.click(submit);
  await waitFor(() =>
    expect(cohorts.created[0]?.distinct_ids).toEqual(['ada', 'o"neil']),
  );
});

it('adds users to a fixed list, and removes them', async () => {
  const list = { is_static: true, filters: undefined };
  const cohorts = new FakeCohortsApi([
    cohortOf(1, { name: 'Friends', ...list, count: 1_200 }),
    cohortOf(2, { name: 'Theirs', ...list, may_change: false }),
  ]);
  const { user } = renderPlugin({ cohorts, path: `${path}?cohort=1` });
  const panel = await screen.findByRole('complementary', { name: 'Friends' });
  expect(panel).toHaveTextContent('IDs in the list1,200Created byada');
  const add = within(panel).getByRole('button', { name: 'Add users' });
  await user.click(add);
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Add users to Friends' }),
  );
  const submit = dialog.getByRole('button', { name: 'Add users' });
  await user.click(submit);
  const ids = dialog.getByRole('textbox', { name: 'User IDs' });
  expect(ids).toBeInvalid();
  await user.click(ids);
  await user.paste('lin\ngrace');
  await user.click(submit);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(
    await within(panel).findByRole('button', {
      name: 'Remove ada@example.com from the list',
    }),
  );
  await waitFor(() =>
    expect(cohorts.changedLists).toEqual([
      { id: 1, add_distinct_ids: ['lin', 'grace'] },
      { id: 1, remove_distinct_ids: ['ada'] },
    ]),
  );
  await user.click(screen.getByRole('row', { name: /Theirs/ }));
  const theirs = await screen.findByRole('complementary', { name: 'Theirs' });
  await within(theirs).findByRole('link', { name: 'ada@example.com' });
  expect(
    within(theirs).queryByRole('button', { name: /Add users|Remove/ }),
  ).toBeNull();
});

it('goes to the last page when the only user of a page is removed', async () => {
  const cohorts = new FakeCohortsApi([
    cohortOf(1, {
      name: 'Friends',
      is_static: true,
      filters: undefined,
      count: 51,
    }),
  ]);
  const people = new FakePeopleApi();
  const [person] = people.persons;
  people.persons = Array.from({ length: 51 }, (_, index) => ({
    ...person,
    id: `user-${index}`,
    properties: {},
  }));
  const { user } = renderPlugin({
    cohorts,
    people,
    path: `${path}?cohort=1`,
  });
  const panel = within(
    await screen.findByRole('complementary', { name: 'Friends' }),
  );
  await user.click(await panel.findByRole('button', { name: /Next/ }));
  const remove = await panel.findByRole('button', { name: /Remove user-50/ });
  // Delay the response with the new last page, to check what is shown in the meantime.
  const isNew = (of: PeopleSource) => of.kind === 'filters' && of.version === 2;
  const getActors = people.getActors.bind(people);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const asked = vi.fn();
  people.getActors = async (project, options) => {
    if (options.offset === 0) {
      asked();
    }
    // Only the request for the second page, which is empty now, is not delayed.
    if (options.offset === 0 || !isNew(options.of)) {
      await held;
    }
    return getActors(project, options);
  };
  const changeList = cohorts.changeList.bind(cohorts);
  cohorts.changeList = async (project, id, changes) => {
    people.persons.pop();
    cohorts.cohorts = cohorts.cohorts.map(each => ({ ...each, version: 2 }));
    return changeList(project, id, changes);
  };
  await user.click(remove);
  await waitFor(() => expect(asked).toHaveBeenCalled());
  expect(panel.queryByText(/None of them has events/)).toBeNull();
  release();
  expect(
    await panel.findByRole('button', { name: /Remove user-49/ }),
  ).toBeVisible();
});

it('changes, duplicates and deletes a cohort', async () => {
  const cohorts = new FakeCohortsApi([
    cohortOf(1, { name: 'Buyers' }),
    cohortOf(2, { name: 'Theirs', may_change: false }),
  ]);
  const { user } = renderPlugin({ cohorts, path: `${path}?cohort=1` });
  const panel = await screen.findByRole('complementary', { name: 'Buyers' });
  expect(within(panel).getByText('bought in the last 30 days')).toBeVisible();
  await user.click(within(panel).getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: /Sent/ }));
  await user.click(await screen.findByRole('option', { name: 'Never' }));
  await user.click(dialog.getByRole('button', { name: 'Save cohort' }));
  expect(
    await within(panel).findByText('No bought in the last 30 days'),
  ).toBeVisible();
  await user.click(within(panel).getByRole('button', { name: 'Duplicate' }));
  const copy = await screen.findByRole('complementary', {
    name: 'Buyers (copy)',
  });
  await user.click(within(copy).getByRole('button', { name: 'Delete' }));
  const confirm = within(await screen.findByRole('dialog'));
  await user.click(confirm.getByRole('button', { name: 'Delete' }));
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /Buyers \(copy\)/ })).toBeNull(),
  );
  await user.click(screen.getByRole('row', { name: /Theirs/ }));
  const theirs = await screen.findByRole('complementary', { name: 'Theirs' });
  expect(within(theirs).queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(within(theirs).queryByRole('button', { name: 'Delete' })).toBeNull();
});

it('says which insights use a cohort that cannot be deleted', async () => {
  const cohorts = new FakeCohortsApi([cohortOf(1, { name: 'Buyers' })]);
  cohorts.refusal = new Error('Saved insights use the cohort: Sales');
  const { user } = renderPlugin({ cohorts, path: `${path}?cohort=1` });
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const confirm = within(await screen.findByRole('dialog'));
  await user.click(confirm.getByRole('button', { name: 'Delete' }));
  expect(
    await confirm.findByText('Saved insights use the cohort: Sales'),
  ).toBeVisible();
  expect(cohorts.cohorts).toHaveLength(1);
});

it('finds cohorts by their names', async () => {
  const cohorts = new FakeCohortsApi([
    cohortOf(1, { name: 'Buyers' }),
    cohortOf(2, { name: 'Visitors' }),
  ]);
  const { user } = renderPlugin({ cohorts, path });
  await user.type(await screen.findByRole('searchbox'), 'buy');
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /Visitors/ })).toBeNull(),
  );
  expect(screen.getByRole('row', { name: /Buyers/ })).toBeVisible();
});

it('shows no cohorts of a project that only counts users', async () => {
  renderPlugin({ path: `${path}?project=portal` });
  expect(
    await screen.findByText('This project only counts users'),
  ).toBeVisible();
});

it('shows its main action in the header of the page, once there are cohorts', async () => {
  const cohorts = new FakeCohortsApi([cohortOf(1)]);
  renderPlugin({ cohorts, path });

  const create = await screen.findByRole('button', { name: 'Create cohort' });

  expect(create.closest('header')).toContainElement(
    screen.getByRole('heading', { level: 1 }),
  );
});
