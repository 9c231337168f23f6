import { screen, within } from '@testing-library/react';
import { createFakeFlagsApi } from '../__testUtils__/FakeFlagsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

const SEEN_AT = '2026-11-20T10:00:00.000Z';

it('lists applications, says which SDKs to update and which flags do not exist', async () => {
  const api = createFakeFlagsApi();
  api.applications = [
    {
      appName: 'shop',
      instances: 3,
      sdkVersions: ['unleash-client-node:3.1.0', 'unleash-client-go:4.1.0'],
      seenAt: SEEN_AT,
    },
  ];
  api.outdatedSdks = [
    {
      sdkVersion: 'unleash-client-node:3.1.0',
      minimum: '4.2.0',
      applications: [{ appName: 'shop', environment: 'production' }],
    },
  ];
  api.unknownFlags = [
    {
      name: 'chekout',
      lastSeenAt: SEEN_AT,
      reports: [
        {
          appName: 'shop',
          environments: [{ environment: 'production', seenAt: SEEN_AT }],
        },
      ],
    },
  ];
  renderPlugin({ api, path: '/flags/applications' });
  const row = await screen.findByRole('row', { name: 'shop' });
  expect(row).toHaveTextContent('unleash-client-node 3.1.0');
  expect(await within(row).findByText('Update to 4.2.0')).toBeVisible();
  expect(await screen.findByRole('row', { name: 'chekout' })).toHaveTextContent(
    'shop (production)',
  );
});

it('says how to connect the first application', async () => {
  renderPlugin({ api: createFakeFlagsApi(), path: '/flags/applications' });
  expect(await screen.findByText('No applications yet')).toBeVisible();
  expect(await screen.findByText('Connect an application')).toBeVisible();
  expect(screen.queryByText('Flags that do not exist')).toBeNull();
});

it('says what failed, and reads again', async () => {
  const api = createFakeFlagsApi();
  await api.refuse('listUnknownFlags', { status: 503, message: 'down' });
  const { user } = renderPlugin({ api, path: '/flags/applications' });
  expect(
    await screen.findByText('The feature flag service is not responding'),
  ).toBeVisible();
  api.recover();
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('No applications yet')).toBeVisible();
});
