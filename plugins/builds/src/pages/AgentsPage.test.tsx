import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { agent, FakeBuildsApi } from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';

let api: FakeBuildsApi;

beforeEach(() => {
  api = new FakeBuildsApi();
  api.agents = [
    agent('linux-1', { running: [{ job: 'shop', number: 3 }] }),
    agent('linux-2', { state: 'draining' }),
    agent('linux-3', { connected: false, executor: null, seenAt: null }),
    agent('linux-4', {
      labels: ['containers'],
      executor: {
        ...{ kind: 'bubblewrap', limits: null, gaps: [] },
        containers: {
          ...{ kind: 'containers', limits: '100 processes', gaps: [] },
          ...{ engine: 'Podman Engine 5.0.0', fault: null },
        },
      },
    }),
  ];
});

const open = () => renderPlugin({ api, path: '/builds/-/agents' });

it('lists agents with what they run and how', async () => {
  open();
  const row = await screen.findByRole('row', { name: /linux-1/ });
  expect(row).toHaveTextContent('1 of 2');
  expect(row).toHaveTextContent('bubblewrap, limited by control groups');
  expect(
    within(row).getByRole('link', { name: 'shop #3' }).getAttribute('href'),
  ).toBe('/builds/shop/3');
  expect(screen.getByRole('row', { name: /linux-2/ })).toHaveTextContent(
    'Draining',
  );
  expect(screen.getByRole('row', { name: /linux-3/ })).toHaveTextContent(
    'Not connected',
  );
  expect(screen.getByRole('row', { name: /linux-4/ })).toHaveTextContent(
    'bubblewrap. Containers: Podman Engine 5.0.0, limited by 100 processes',
  );
});

it('shows how the build server isolates steps and containers', async () => {
  api.isolation = {
    kind: 'bubblewrap',
    limits: 'control groups',
    gaps: ['Disk space is shared.'],
    containers: {
      kind: 'containers',
      limits: '100 processes',
      gaps: ['Disk space is shared.', 'The container engine runs as root.'],
      engine: 'Podman Engine 5.0.0',
      fault: null,
    },
  };
  open();
  const panel = await screen.findByRole('region', {
    name: 'On the build server',
  });
  expect(panel).toHaveTextContent('bubblewrap, limited by control groups');
  expect(panel).toHaveTextContent(
    'Podman Engine 5.0.0, limited by 100 processes',
  );
  expect(within(panel).getAllByRole('listitem')).toHaveLength(2);
});

it('says when containers are not configured or do not run', async () => {
  open();
  expect(
    await screen.findByText('Need an agent with the label containers'),
  ).toBeInTheDocument();
  api.isolation.containers = {
    kind: 'containers',
    limits: null,
    gaps: [],
    engine: null,
    fault: 'the container engine failed: connect ENOENT /run/podman.sock',
  };
  renderPlugin({ api, path: '/builds' });
  expect(await screen.findByText('Containers do not run')).toBeInTheDocument();
  expect(
    screen.getByText(/Jobs with a container fail: .*ENOENT.* Start podman/),
  ).toBeInTheDocument();
});

it('drains, resumes and removes', async () => {
  open();
  const user = userEvent.setup();
  await user.click(
    await screen.findByRole('button', { name: 'Drain linux-1' }),
  );
  await user.click(screen.getByRole('button', { name: 'Resume linux-2' }));
  await user.click(screen.getByRole('button', { name: 'Remove linux-3' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await vi.waitFor(() =>
    expect(api.asked).toEqual([
      'drain linux-1',
      'resume linux-2',
      'remove linux-3',
    ]),
  );
});

it('shows a token with the command once', async () => {
  open();
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Add agent' }));
  await user.type(screen.getByLabelText('Labels'), 'gpu linux');
  await user.click(screen.getByRole('button', { name: 'Create token' }));
  expect(
    await screen.findByText(/SLIPWAY_ENROL_TOKEN=slipway_enrol_example/),
  ).toBeInTheDocument();
  expect(api.asked).toEqual(['invite gpu,linux']);
});

it('offers nothing to those who may not manage them', async () => {
  api.mayManage = false;
  open();
  await screen.findByRole('row', { name: /linux-1/ });
  expect(screen.queryByRole('button', { name: 'Add agent' })).toBeNull();
  expect(screen.queryByRole('button', { name: /Drain/ })).toBeNull();
});

it('shows an empty state', async () => {
  api.agents = [];
  open();
  expect(await screen.findByText('No agents')).toBeInTheDocument();
});
