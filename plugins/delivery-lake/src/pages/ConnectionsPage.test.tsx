import { screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const PATH = '/delivery/connections';

/** Connects a repository and returns its panel. */
async function connect() {
  const api = new FakeDeliveryLakeApi();
  const { user, address } = renderPlugin({ api, path: PATH });
  await user.click(
    await screen.findByRole('button', { name: 'Connect a repository' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  expect(
    await within(dialog).findByText(/Enter the address of a repository/),
  ).toBeInTheDocument();
  await user.click(within(dialog).getByRole('textbox', { name: 'Repository' }));
  await user.paste('https://gitlab.example.org/shop/cart');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  const panel = await screen.findByRole('complementary', {
    name: 'https://gitlab.example.org/shop/cart',
  });
  return { api, user, address, panel };
}

it('guides from the repository to the first delivery', async () => {
  const { api, address, panel } = await connect();
  expect(address()).toBe(`${PATH}/connection-1`);
  expect(api.connections[0].forge).toBe('gitlab');
  expect(panel).toHaveTextContent('s3cret');
  expect(panel).toHaveTextContent('webhooks/connections/connection-1');
  expect(within(panel).getByText('Waiting')).toBeInTheDocument();

  api.connections = [
    {
      ...api.connections[0],
      lastDelivery: {
        at: new Date().toISOString(),
        event: 'push hook',
        accepted: 2,
        ignored: null,
      },
    },
  ];
  expect(await within(panel).findByText('Connected')).toBeInTheDocument();
  expect(panel).toHaveTextContent('Last delivery: push hook');
  expect(panel).toHaveTextContent('2 events recorded');
});

it('says if only this machine reaches the address of the webhook', async () => {
  const { api, panel } = await connect();
  const note = () => within(panel).queryByText(/Only this machine can reach/);
  expect(note()).toBeInTheDocument();
  const [connection] = api.connections;
  const webhookUrl = connection.webhookUrl.replace(
    'http://localhost:7007',
    'https://portal.example.org',
  );
  api.connections = [{ ...connection, webhookUrl }];
  await waitFor(() => expect(note()).toBeNull());
});

it('shows a secret once, and replaces it', async () => {
  const api = new FakeDeliveryLakeApi();
  await api.connect({ forge: 'github', repository: 'shop/cart' });
  api.connections[0].lastRefusedAt = '2026-11-20T12:00:00.000Z';
  const { user } = renderPlugin({ api, path: `${PATH}/connection-1` });
  const panel = await screen.findByRole('complementary', {
    name: 'shop/cart',
  });
  expect(panel).not.toHaveTextContent('s3cret');
  expect(panel).toHaveTextContent('The last delivery had a wrong signature');
  await user.click(
    within(panel).getByRole('button', { name: 'Create a new secret' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.click(
    within(dialog).getByRole('button', { name: 'Create a new secret' }),
  );
  expect(await within(panel).findByText('another')).toBeInTheDocument();
});

it('removes a connection after a question', async () => {
  const api = new FakeDeliveryLakeApi();
  await api.connect({ forge: 'github', repository: 'shop/cart' });
  const { user, address } = renderPlugin({
    api,
    path: `${PATH}/connection-1`,
  });
  await user.click(
    await screen.findByRole('button', { name: 'Remove connection' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.click(
    within(dialog).getByRole('button', { name: 'Remove connection' }),
  );
  expect(await screen.findByText('Nothing is connected')).toBeInTheDocument();
  expect(address()).toBe(PATH);
});

it('says who manages connections to those who may not', async () => {
  const api = new FakeDeliveryLakeApi();
  await api.refuseNext('getConnections', { status: 403, message: 'No' });
  renderPlugin({ api, path: PATH });
  expect(
    await screen.findByText('Connections are managed by admins'),
  ).toBeVisible();
  expect(screen.queryByText(/may not view delivery data/)).toBeNull();
});
