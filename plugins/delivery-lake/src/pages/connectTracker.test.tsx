import { screen, waitFor, within } from '@testing-library/react';
import { FakeDeliveryLakeApi } from '../__testUtils__/FakeDeliveryLakeApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const PATH = '/delivery/connections';
const SECRET = 'aB3+xyz/0123456789=';

async function openDialog() {
  const api = new FakeDeliveryLakeApi();
  const { user, address } = renderPlugin({ api, path: PATH });
  await user.click(
    await screen.findByRole('button', { name: 'Connect an incident tracker' }),
  );
  const dialog = await screen.findByRole('dialog', {
    name: 'Connect an incident tracker',
  });
  return { api, user, address, dialog };
}

it('guides from the account of PagerDuty to the first incident', async () => {
  const { api, user, address, dialog } = await openDialog();
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  expect(
    await within(dialog).findByText(
      'Enter the address of your PagerDuty account',
    ),
  ).toBeInTheDocument();
  await user.click(within(dialog).getByRole('textbox', { name: 'Account' }));
  await user.paste(' acme.pagerduty.com ');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  const panel = await screen.findByRole('complementary', {
    name: 'acme.pagerduty.com',
  });
  expect(address()).toBe(`${PATH}/connection-1`);
  expect(panel).toHaveTextContent('webhooks/connections/connection-1');
  expect(panel).toHaveTextContent('Generic Webhooks (v3)');
  expect(panel).toHaveTextContent('incident.triggered');
  expect(panel).toHaveTextContent('pagerduty.com/service-id: "PABC123"');
  expect(panel).not.toHaveTextContent('s3cret');
  expect(within(panel).getByText('Waiting')).toBeInTheDocument();

  // Nothing can be accepted yet, so a rejected delivery is not worth reporting.
  api.connections = api.connections.map(one => ({
    ...one,
    lastRefusedAt: '2026-11-20T12:00:00.000Z',
  }));
  await user.click(
    within(panel).getByRole('button', { name: 'Enter the secret' }),
  );
  const secret = await screen.findByRole('dialog', {
    name: 'Enter the secret',
  });
  const field = within(secret).getByLabelText('Secret');
  await waitFor(() => expect(field).toHaveFocus());
  await user.paste('short');
  await user.click(within(secret).getByRole('button', { name: 'Save secret' }));
  expect(
    await within(secret).findByText('Enter the whole secret, without spaces'),
  ).toBeInTheDocument();
  await user.clear(field);
  await user.paste(`${SECRET}\n`);
  await user.click(within(secret).getByRole('button', { name: 'Save secret' }));
  expect(
    await within(panel).findByRole('button', { name: 'Enter another secret' }),
  ).toBeInTheDocument();
  expect(within(panel).getByText('Waiting')).toBeInTheDocument();
  expect(panel).toHaveTextContent('choose Send Test Event; if the webhook was');
  expect(api.enteredSecrets).toEqual([SECRET]);
  expect(panel).not.toHaveTextContent(SECRET);

  api.connections = api.connections.map(one => ({
    ...one,
    lastDelivery: {
      at: new Date().toISOString(),
      event: 'incident.triggered',
      accepted: 1,
      ignored: null,
    },
  }));
  expect(await within(panel).findByText('Connected')).toBeInTheDocument();
  expect(panel).toHaveTextContent('Last delivery: incident.triggered');
});

it('says what to do about a wrong secret that PagerDuty does not show again', async () => {
  const api = new FakeDeliveryLakeApi();
  const { id } = await api.connect({
    forge: 'pagerduty',
    repository: 'acme.pagerduty.com',
  });
  await api.enterConnectionSecret(id, SECRET);
  api.connections = api.connections.map(one => ({
    ...one,
    lastRefusedAt: '2026-11-20T12:00:00.000Z',
  }));
  renderPlugin({ api, path: `${PATH}/${id}` });
  const panel = await screen.findByRole('complementary', {
    name: 'acme.pagerduty.com',
  });
  expect(panel).toHaveTextContent('delete the webhook in PagerDuty');
  expect(within(panel).getByText('Refused')).toBeInTheDocument();
});

it('shows the secret for a site of Jira once', async () => {
  const { api, user, dialog } = await openDialog();
  await user.click(
    within(dialog).getByRole('button', { name: /Incident tracker/ }),
  );
  await user.click(await screen.findByRole('option', { name: 'Jira' }));
  await user.click(
    await within(dialog).findByRole('textbox', { name: 'Site' }),
  );
  await user.paste('acme.atlassian.net');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  const panel = await screen.findByRole('complementary', {
    name: 'acme.atlassian.net',
  });
  expect(api.connections[0].forge).toBe('jira');
  expect(panel).toHaveTextContent('s3cret');
  expect(panel).toHaveTextContent('jira/project-key: "SHOP"');
  expect(panel).toHaveTextContent('Issue: created, updated, deleted');
});

it('tells why an account cannot be connected', async () => {
  const { api, user, dialog } = await openDialog();
  await api.refuseNext('connect', {
    status: 409,
    message: 'acme.pagerduty.com is already connected',
  });
  await user.click(within(dialog).getByRole('textbox', { name: 'Account' }));
  await user.paste('acme.pagerduty.com');
  await user.click(within(dialog).getByRole('button', { name: 'Connect' }));
  const alert = await within(dialog).findByRole('alert');
  expect(alert).toHaveTextContent("Couldn't connect PagerDuty");
  expect(alert).toHaveTextContent('acme.pagerduty.com is already connected');

  // The error about PagerDuty must not be shown for Jira.
  await user.click(
    within(dialog).getByRole('button', { name: /Incident tracker/ }),
  );
  await user.click(await screen.findByRole('option', { name: 'Jira' }));
  await waitFor(() =>
    expect(within(dialog).queryByRole('alert')).not.toBeInTheDocument(),
  );
});
