import { screen, waitFor, within } from '@testing-library/react';
import { cohortOf, FakeCohortsApi } from '../__testUtils__/FakeCohortsApi';
import { FakePeopleApi } from '../__testUtils__/FakePeopleApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { Timeline } from '../api/PeopleApi';

it('finds a user, with properties and what the user did', async () => {
  const { user, address } = renderPlugin({ path: '/analytics/users' });
  expect(await screen.findByRole('row', { name: /device-2/ })).toBeVisible();
  await user.type(screen.getByRole('searchbox'), 'ada@');
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /device-2/ })).toBeNull(),
  );
  await user.click(screen.getByRole('row', { name: /ada@example.com/ }));
  const panel = await screen.findByRole('complementary', {
    name: 'ada@example.com',
  });
  expect(address()).toContain('user=ada');
  expect(await within(panel).findByText('pro')).toBeVisible();
  const event = await within(panel).findByText('bought');
  expect(event).toBeVisible();
  expect(within(panel).queryByText('$pathname')).toBeNull();
  await user.click(event);
  expect(await within(panel).findByText('$pathname')).toBeVisible();
  await user.click(
    within(panel).getByRole('button', { name: 'Earlier events' }),
  );
  expect(await within(panel).findByText('signed up')).toBeVisible();
});

it('links to the cohorts that a user is in', async () => {
  const people = new FakePeopleApi();
  people.cohorts = [
    { id: 7, name: 'Buyers', is_static: false },
    { id: 8, name: 'Interviews', is_static: true },
  ];
  renderPlugin({ people, path: '/analytics/users?project=shop&user=ada' });
  const cohorts = await screen.findByRole('region', { name: 'Cohorts' });
  expect(
    await within(cohorts).findByRole('link', { name: 'Buyers' }),
  ).toHaveAttribute(
    'href',
    expect.stringMatching(/\/analytics\/cohorts\?project=\w+&cohort=7$/),
  );
  expect(cohorts).toHaveTextContent('InterviewsFixed list');
});

it('adds a user to a fixed list that does not have the user yet', async () => {
  const people = new FakePeopleApi();
  people.cohorts = [{ id: 8, name: 'Interviews', is_static: true }];
  const list = { is_static: true, filters: undefined };
  const cohorts = new FakeCohortsApi([
    cohortOf(7, { name: 'Buyers' }),
    cohortOf(8, { name: 'Interviews', ...list }),
    cohortOf(9, { name: 'Invited', ...list }),
    cohortOf(10, { name: 'Theirs', ...list, may_change: false }),
  ]);
  const { user } = renderPlugin({
    people,
    cohorts,
    path: '/analytics/users?user=ada',
  });
  await user.click(
    await screen.findByRole('button', { name: 'Add to a list' }),
  );
  const dialog = within(await screen.findByRole('dialog'));
  // The page finds the user in the list before it has read all other data again.
  let goOn = () => {};
  const events = await people.getTimeline('default', 'ada');
  vi.spyOn(people, 'getTimeline').mockReturnValueOnce(
    new Promise<Timeline>(resolve => {
      goOn = () => resolve(events);
    }),
  );
  people.cohorts = [
    ...people.cohorts,
    { id: 9, name: 'Invited', is_static: true },
  ];
  await user.click(dialog.getByRole('button', { name: 'Add users' }));
  expect(await screen.findByText('Invited', { selector: 'a' })).toBeVisible();
  expect(dialog.getByRole('button', { name: /^Invited/ })).toBeVisible();
  goOn();
  expect(await dialog.findByText('Added to Invited.')).toBeVisible();
  expect(cohorts.changedLists).toEqual([{ id: 9, add_distinct_ids: ['ada'] }]);
});

it('says if a user is in no cohort, and offers a retry if that is unknown', async () => {
  const people = new FakePeopleApi();
  const { user } = renderPlugin({ people, path: '/analytics/users?user=ada' });
  expect(await screen.findByText('Not in any cohort.')).toBeVisible();
  vi.spyOn(people, 'getCohortsOf').mockRejectedValueOnce(new Error('gone'));
  await user.click(screen.getByRole('row', { name: /device-2/ }));
  expect(await screen.findByText("Couldn't load cohorts")).toBeVisible();
  expect(screen.getByText('bought')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Not in any cohort.')).toBeVisible();
});

it('deletes a user after the name was typed, and shows the progress', async () => {
  const people = new FakePeopleApi();
  const { user } = renderPlugin({
    people,
    path: '/analytics/users?user=ada',
  });
  await user.click(await screen.findByRole('button', { name: 'Delete user' }));
  const dialog = await screen.findByRole('dialog');
  const confirm = within(dialog).getByRole('button', { name: 'Delete user' });
  await user.click(confirm);
  expect(
    await within(dialog).findByText("The name doesn't match"),
  ).toBeVisible();
  expect(people.persons).toHaveLength(2);

  const field = within(dialog).getByRole('textbox', {
    description: /Deletes the profile/,
  });
  await user.type(field, 'ada@example.com');
  await user.click(confirm);
  expect(await screen.findByText(/Deleting/)).toBeVisible();
  await waitFor(() =>
    expect(screen.queryByRole('row', { name: /ada@example.com/ })).toBeNull(),
  );
  people.erasures = people.erasures.map(each => ({
    ...each,
    done_at: '2026-11-21T10:00:20.000Z',
  }));
  expect(await screen.findByText(/^Deleted/)).toBeVisible();
});

it('shows no users of a project that only counts them', async () => {
  renderPlugin({ path: '/analytics/users?project=portal' });
  expect(
    await screen.findByText('This project only counts users'),
  ).toBeVisible();
});

it('lists who is in a cohort, or not', async () => {
  const people = new FakePeopleApi();
  const cohorts = new FakeCohortsApi([cohortOf(7, { name: 'Buyers' })]);
  const { user, address } = renderPlugin({
    people,
    cohorts,
    path: '/analytics/users',
  });
  await user.click(await screen.findByRole('button', { name: /Cohort/ }));
  await user.click(await screen.findByRole('option', { name: 'Buyers' }));
  const link = await screen.findByRole('link', { name: 'ada@example.com' });
  const filter = { key: 'id', type: 'cohort', value: 7 };
  expect(people.askedActors.at(-1)).toMatchObject({
    filters: [{ ...filter, operator: 'in' }],
  });
  await user.click(link);
  expect(
    await screen.findByRole('complementary', { name: 'ada@example.com' }),
  ).toBeVisible();
  expect(address()).toContain('cohort=7');
  await user.click(screen.getByRole('button', { name: /In the cohort/ }));
  await user.click(
    await screen.findByRole('option', { name: 'Not in the cohort' }),
  );
  await waitFor(() =>
    expect(people.askedActors.at(-1)).toMatchObject({
      filters: [{ ...filter, operator: 'not_in' }],
    }),
  );
});
