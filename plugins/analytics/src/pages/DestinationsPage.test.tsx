import { screen, waitFor, within } from '@testing-library/react';
import {
  destinationOf,
  FakeDestinationsApi,
} from '../__testUtils__/FakeDestinationsApi';
import { FakeEventsApi } from '../__testUtils__/FakeEventsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const path = '/analytics/destinations';

beforeEach(() => localStorage.clear());

it('creates a webhook, shows its secret once, and tests it', async () => {
  const destinations = new FakeDestinationsApi();
  const { user, address } = renderPlugin({ destinations, path });
  expect(await screen.findByText('No destinations yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Create destination' }));
  const dialog = await screen.findByRole('dialog');
  const submit = within(dialog).getByRole('button', {
    name: 'Create destination',
  });
  await user.click(submit);
  expect(within(dialog).getByText(/Enter an address/)).toBeVisible();
  const type = async (name: string, text: string) => {
    await user.click(within(dialog).getByRole('textbox', { name }));
    await user.paste(text);
  };
  await type('Name', 'crm');
  await type('Address', 'https://crm.example.com/hook');
  await type('Events', 'signed up\nbought, paid\n');
  await user.click(submit);
  expect(
    await within(dialog).findByText('s3cret-of-the-signature'),
  ).toBeVisible();
  await user.click(within(dialog).getByRole('button', { name: 'Done' }));
  expect(destinations.created).toEqual([
    {
      kind: 'webhook',
      id: 'crm',
      url: 'https://crm.example.com/hook',
      events: ['signed up', 'bought, paid'],
    },
  ]);
  expect(address()).toContain('destination=crm');
  const panel = await screen.findByRole('complementary', { name: 'crm' });
  await user.click(
    within(panel).getByRole('button', { name: 'Send test event' }),
  );
  expect(
    await within(panel).findByText('The test event was accepted.'),
  ).toBeVisible();
  destinations.outcome = {
    delivered: false,
    status: 500,
    error: 'The receiver answered 500',
    duration_ms: 12,
  };
  await user.click(
    within(panel).getByRole('button', { name: 'Send test event' }),
  );
  expect(
    await within(panel).findByText("Couldn't send the test event"),
  ).toBeVisible();
});

it('requires all settings of a bucket', async () => {
  const destinations = new FakeDestinationsApi();
  const { user } = renderPlugin({ destinations, path });
  await user.click(
    await screen.findByRole('button', { name: 'Create destination' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('radio', { name: /^S3/ }));
  const submit = within(dialog).getByRole('button', {
    name: 'Create destination',
  });
  await user.click(submit);
  expect(within(dialog).getAllByText('Enter a value')).toHaveLength(3);
  for (const [label, text] of [
    ['Name', 'lake'],
    ['Endpoint', 'https://s3.example.com'],
    ['Bucket', 'events-of-shop'],
    ['Access key ID', 'AKIDEXAMPLE'],
    ['Secret access key', 'wJalrXUtnFEMI'],
  ]) {
    await user.click(within(dialog).getByLabelText(label));
    await user.paste(text);
  }
  await user.click(submit);
  await waitFor(() =>
    expect(destinations.created).toEqual([
      {
        kind: 's3',
        id: 'lake',
        endpoint: 'https://s3.example.com',
        region: 'us-east-1',
        bucket: 'events-of-shop',
        prefix: '',
        access_key_id: 'AKIDEXAMPLE',
        secret_access_key: 'wJalrXUtnFEMI',
        format: 'ndjson',
        interval: 'hour',
      },
    ]),
  );
});

it('edits a webhook, and keeps the secrets that are left empty', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.destinations = [
    destinationOf('crm', { events: ['bought'] }),
    destinationOf('other'),
  ];
  const { user, address } = renderPlugin({
    destinations,
    path: `${path}?destination=crm`,
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit crm' });
  const save = within(dialog).getByRole('button', { name: 'Save changes' });
  const type = async (name: string, text: string) => {
    const field = within(dialog).getByLabelText(name);
    await user.clear(field);
    await user.click(field);
    await user.paste(text);
  };
  expect(within(dialog).getByLabelText('Address')).toHaveValue('');
  expect(
    within(dialog).getByText(/Currently at https:\/\/crm.example.com/),
  ).toBeVisible();
  await type('Secret', 'short');
  await user.click(save);
  expect(
    within(dialog).getByText('Enter at least 16 characters'),
  ).toBeVisible();
  await user.clear(within(dialog).getByLabelText('Secret'));
  await type('Name', 'other');
  await user.click(save);
  expect(
    await within(dialog).findByText("Couldn't save the changes"),
  ).toBeVisible();
  await type('Name', 'crm-2');
  await user.clear(within(dialog).getByLabelText('Events'));
  await user.click(save);
  expect(
    await screen.findByRole('complementary', { name: 'crm-2' }),
  ).toBeVisible();
  expect(address()).toContain('destination=crm-2');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(destinations.changed).toEqual([{ id: 'crm-2', events: null }]);
});

it('edits the files of a bucket, and replaces its key', async () => {
  const destinations = new FakeDestinationsApi();
  const files = {
    region: 'eu-central-1',
    bucket: 'events-of-shop',
    prefix: 'raw/',
    format: 'parquet',
    interval: 'day',
  } as const;
  destinations.destinations = [
    destinationOf('lake', {
      kind: 's3',
      address: 'https://s3.example.com/events-of-shop',
      files,
    }),
  ];
  const { user } = renderPlugin({
    destinations,
    path: `${path}?destination=lake`,
  });
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = await screen.findByRole('dialog', { name: 'Edit lake' });
  for (const [label, text] of [
    ['Bucket', 'lake-of-shop'],
    ['Access key ID', 'AKIDNEW'],
    ['Secret access key', 'wJalrNEW'],
  ]) {
    const field = within(dialog).getByLabelText(label);
    await user.clear(field);
    await user.click(field);
    await user.paste(text);
  }
  await user.click(
    within(dialog).getByRole('button', { name: 'Save changes' }),
  );
  await waitFor(() =>
    expect(destinations.changed).toEqual([
      {
        ...files,
        id: 'lake',
        bucket: 'lake-of-shop',
        access_key_id: 'AKIDNEW',
        secret_access_key: 'wJalrNEW',
      },
    ]),
  );
});

it('takes new credentials of a webhook whose own cannot be decrypted', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.destinations = [
    destinationOf('crm', { is_readable: false, events: ['bought'] }),
  ];
  const { user } = renderPlugin({ destinations, path });
  const list = await screen.findByRole('grid', { name: 'Destinations' });
  expect(within(list).getByText('Needs credentials')).toBeVisible();
  await user.click(within(list).getByText('crm'));
  const panel = await screen.findByRole('complementary', { name: 'crm' });
  expect(
    within(panel).getByText("Couldn't decrypt its credentials"),
  ).toBeVisible();
  expect(
    within(panel).queryByRole('button', { name: 'Send test event' }),
  ).toBeNull();
  await user.click(
    within(panel).getByRole('button', { name: 'Enter credentials' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Edit crm' });
  const save = within(dialog).getByRole('button', { name: 'Save changes' });
  await user.click(save);
  expect(within(dialog).getByText(/Enter an address/)).toBeVisible();
  expect(within(dialog).getByText(/at least 16 characters/)).toBeVisible();
  for (const [label, text] of [
    ['Address', 'https://crm.example.com/hook'],
    ['Secret', 'another-secret-of-the-hook'],
  ]) {
    await user.click(within(dialog).getByLabelText(label));
    await user.paste(text);
  }
  await user.click(save);
  await waitFor(() =>
    expect(destinations.changed).toEqual([
      {
        id: 'crm',
        url: 'https://crm.example.com/hook',
        secret: 'another-secret-of-the-hook',
      },
    ]),
  );
});

it('fills in what is known of a bucket whose credentials cannot be decrypted', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.destinations = [
    destinationOf('lake', {
      kind: 's3',
      address: 'https://s3.example.com/events-of-shop',
      is_readable: false,
    }),
  ];
  const { user } = renderPlugin({
    destinations,
    path: `${path}?destination=lake`,
  });
  await user.click(
    await screen.findByRole('button', { name: 'Enter credentials' }),
  );
  const dialog = await screen.findByRole('dialog', { name: 'Edit lake' });
  expect(within(dialog).getByLabelText('Endpoint')).toHaveValue(
    'https://s3.example.com',
  );
  expect(within(dialog).getByLabelText('Bucket')).toHaveValue('events-of-shop');
  const save = within(dialog).getByRole('button', { name: 'Save changes' });
  await user.click(save);
  expect(within(dialog).getAllByText('Enter a value')).toHaveLength(2);
  expect(destinations.changed).toEqual([]);
});

it('shows failures and deliveries, pauses, resumes and deletes', async () => {
  const destinations = new FakeDestinationsApi();
  const at = new Date(Date.now() - 60_000).toISOString();
  destinations.destinations = [
    destinationOf('crm', {
      delivered: 1_200,
      failures: 2,
      last_error: 'The receiver answered 503',
      next_attempt_at: at,
    }),
  ];
  destinations.deliveries = [
    {
      at,
      events: 200,
      test: false,
      status: 503,
      error: 'The receiver answered 503',
      duration_ms: 80,
    },
  ];
  const { user } = renderPlugin({
    destinations,
    path: `${path}?destination=crm`,
  });
  const panel = await screen.findByRole('complementary', { name: 'crm' });
  expect(within(panel).getByText('Failing')).toBeVisible();
  expect(
    await within(panel).findByRole('grid', { name: 'Deliveries' }),
  ).toHaveTextContent('503');
  expect(within(panel).getByText('The receiver answered 503')).toBeVisible();
  await user.click(within(panel).getByRole('button', { name: 'Pause' }));
  expect(await within(panel).findByText('Paused')).toBeVisible();
  await user.click(within(panel).getByRole('button', { name: 'Resume' }));
  expect(await within(panel).findByText('Failing')).toBeVisible();
  await user.click(
    within(panel).getByRole('button', { name: 'Delete destination' }),
  );
  const dialog = await screen.findByRole('dialog');
  await user.click(
    within(dialog).getByRole('button', { name: 'Delete destination' }),
  );
  expect(await screen.findByText('No destinations yet')).toBeVisible();
});

it('moves the focus to the next destination when one was deleted', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.destinations = [destinationOf('crm'), destinationOf('lake')];
  const { user } = renderPlugin({ destinations, path });
  await user.click(await screen.findByRole('row', { name: /crm/ }));
  await user.click(
    await screen.findByRole('button', { name: 'Delete destination' }),
  );
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', {
      name: 'Delete destination',
    }),
  );
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
  await waitFor(() =>
    expect(screen.getByRole('row', { name: /lake/ })).toHaveFocus(),
  );
});

it('hides changes from other users and for configured destinations', async () => {
  const api = new FakeEventsApi();
  api.mayManage = false;
  const destinations = new FakeDestinationsApi();
  destinations.destinations = [
    destinationOf('declared', { is_configured: true }),
  ];
  renderPlugin({ api, destinations, path: `${path}?destination=declared` });
  expect(
    await screen.findByText(/Declared in the configuration/),
  ).toBeVisible();
  for (const name of [
    'Create destination',
    'Send test event',
    'Edit',
    'Pause',
  ]) {
    expect(screen.queryByRole('button', { name })).toBeNull();
  }
});

it('says that the service needs a key', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.canCreate = false;
  renderPlugin({ destinations, path });
  expect(await screen.findByText(/analytics.secretsKey/)).toBeVisible();
  expect(
    screen.queryByRole('button', { name: 'Create destination' }),
  ).toBeNull();
});

it('says that destinations could not be loaded', async () => {
  const destinations = new FakeDestinationsApi();
  destinations.getDestinations = async () => {
    throw new Error('broken');
  };
  renderPlugin({ destinations, path });
  expect(await screen.findByText("Couldn't load destinations")).toBeVisible();
});
