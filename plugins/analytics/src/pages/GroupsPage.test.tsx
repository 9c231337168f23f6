import { screen, waitFor, within } from '@testing-library/react';
import { FakePeopleApi } from '../__testUtils__/FakePeopleApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

it('lists the groups of a type, opens one, and deletes it', async () => {
  const people = new FakePeopleApi();
  const { user, address } = renderPlugin({
    people,
    path: '/analytics/groups',
  });
  await user.click(await screen.findByRole('row', { name: /Acme Ltd/ }));
  expect(screen.queryByRole('row', { name: /red/ })).toBeNull();
  const panel = await screen.findByRole('complementary', { name: 'Acme Ltd' });
  expect(address()).toContain('group=company%3Aacme');
  expect(await within(panel).findByText('pro')).toBeVisible();
  expect(await within(panel).findByText('bought')).toBeVisible();

  await user.click(within(panel).getByRole('button', { name: 'Delete group' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(
    within(dialog).getByRole('button', { name: 'Delete group' }),
  );
  await waitFor(() => expect(people.groups).toHaveLength(1));
  expect(await screen.findByRole('row', { name: /red/ })).toBeVisible();
});

it('explains how groups are created', async () => {
  const people = new FakePeopleApi();
  people.groups = [];
  renderPlugin({ people, path: '/analytics/groups' });
  expect(await screen.findByText('No groups yet')).toBeVisible();
});
