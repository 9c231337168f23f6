import { screen, waitFor, within } from '@testing-library/react';
import { FakePeopleApi } from '../__testUtils__/FakePeopleApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

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
  expect(await within(panel).findByText('bought')).toBeVisible();
  await user.click(
    within(panel).getByRole('button', { name: 'Earlier events' }),
  );
  expect(await within(panel).findByText('signed up')).toBeVisible();
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

  await user.type(within(dialog).getByRole('textbox'), 'ada@example.com');
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
