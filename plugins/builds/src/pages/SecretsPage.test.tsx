import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FakeBuildsApi } from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

let api: FakeBuildsApi;

beforeEach(() => {
  api = new FakeBuildsApi();
  api.secrets.secrets = [
    {
      ...{ name: 'deploy-key', origin: 'stored', jobs: ['shop', 'cart'] },
      ...{ branches: ['main'], updatedAt: 0, updatedBy: 'user:default/ada' },
      ...{ lastUsedAt: 0, lastUsedBy: 'shop #3', readable: false },
    },
    {
      ...{ name: 'forge-token', origin: 'configuration', jobs: ['shop'] },
      ...{ branches: [], updatedAt: null, updatedBy: null },
      ...{ lastUsedAt: null, lastUsedBy: null, readable: true },
    },
  ];
});

const open = () => renderPlugin({ api, path: '/builds/-/secrets' });

it('lists secrets with their scope and use', async () => {
  open();
  const row = await screen.findByRole('row', { name: /deploy-key/ });
  expect(row).toHaveTextContent('shop, cart');
  expect(row).toHaveTextContent('main');
  expect(row).toHaveTextContent('shop #3');
  expect(row).toHaveTextContent('Encrypted with another key');
  const configured = screen.getByRole('row', { name: /forge-token/ });
  expect(configured).toHaveTextContent('All branches');
  expect(configured).toHaveTextContent('Configuration');
  expect(within(configured).queryByRole('button')).toBeNull();
});

it('creates a secret', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add secret' }));
  await user.type(screen.getByLabelText(/^Name/), 'api-key');
  await user.type(screen.getByLabelText(/^Value/), 'a-long-value');
  await user.type(screen.getByLabelText(/^Jobs/), 'shop, cart');
  await user.type(screen.getByLabelText(/^Branches/), 'main release/*');
  await user.click(screen.getByRole('button', { name: 'Create secret' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(api.asked).toEqual([
    'put {"name":"api-key","value":"a-long-value","jobs":["shop","cart"],"branches":["main","release/*"]}',
  ]);
});

it('says what a secret lacks', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add secret' }));
  await user.type(screen.getByLabelText(/^Value/), 'short');
  await user.click(screen.getByRole('button', { name: 'Create secret' }));
  expect(screen.getByText(/^Use lowercase letters/)).toBeVisible();
  expect(screen.getByText('Enter at least 8 characters')).toBeVisible();
  expect(screen.getByText('Enter the name of a job')).toBeVisible();
  expect(api.asked).toEqual([]);
});

it('changes the scope, keeps the value, and deletes', async () => {
  open();
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Edit deploy-key' }),
  );
  await user.clear(screen.getByLabelText(/^Branches/));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Delete deploy-key' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() =>
    expect(api.asked).toEqual([
      'put {"name":"deploy-key","jobs":["shop","cart"],"branches":[]}',
      'delete deploy-key',
    ]),
  );
});

it('explains what is missing to store secrets', async () => {
  api.secrets = { storable: false, secrets: [] };
  open();
  expect(await screen.findByText(/secretsKey/)).toBeInTheDocument();
  expect(screen.getByText('No secrets')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Add secret' })).toBeNull();
});
