import { screen, waitFor, within } from '@testing-library/react';
import {
  build,
  FakeBuildsApi,
  job,
  queueItem,
  step,
} from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import type { ParameterDefinition } from '../api/BuildsApi';

let api: FakeBuildsApi;

beforeEach(() => {
  api = new FakeBuildsApi();
});

const parameter = {
  name: 'BRANCH',
  type: 'StringParameterDefinition' as const,
  description: 'What to build',
  required: true,
  defaultParameterValue: null,
};

describe('builds that are not isolated', () => {
  it.each(['/builds', '/builds/payments', '/builds/payments/1'])(
    'are warned of on %s',
    async path => {
      api.jobs = [job('payments', [build(1)])];
      api.builds.set('payments #1', build(1));
      api.isolation = {
        kind: 'none',
        limits: null,
        gaps: ['bubblewrap is not installed.'],
        containers: null,
      };
      renderPlugin({ api, path });
      expect(
        await screen.findByText('Builds are not isolated'),
      ).toBeInTheDocument();
      expect(
        screen.getByText(/bubblewrap is not installed\. .*install bubblewrap/),
      ).toBeInTheDocument();
    },
  );

  it.each(['bubblewrap', 'elsewhere'] as const)(
    'are not told of where it is %s',
    async kind => {
      api.jobs = [job('payments', [build(1)])];
      api.isolation = {
        kind,
        limits: null,
        gaps: ['Something.'],
        containers: null,
      };
      renderPlugin({ api, path: '/builds' });
      await screen.findByRole('row', { name: /payments/ });
      expect(screen.queryByText('Builds are not isolated')).toBeNull();
    },
  );
});

describe('the jobs', () => {
  it('show their last results, and the queue with reasons', async () => {
    api.jobs = [
      job('payments', [build(7, { result: 'FAILURE' })]),
      job('shop', []),
    ];
    api.queue = [queueItem('payments', 8, 'Build #7 is already in progress')];
    const { user } = renderPlugin({ api, path: '/builds' });
    const row = await screen.findByRole('row', { name: /payments/ });
    expect(within(row).getByText('Failed')).toBeInTheDocument();
    expect(within(row).getByRole('link', { name: '#7' })).toHaveAttribute(
      'href',
      '/builds/payments/7',
    );
    expect(screen.getByText('Never built')).toBeInTheDocument();
    expect(
      await screen.findByText('Build #7 is already in progress'),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'payments #8' })).toHaveAttribute(
      'href',
      '/builds/payments/8',
    );
    await user.click(
      screen.getByRole('button', {
        name: 'Remove payments #8 from the queue',
      }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Remove payments #8 from the queue?',
    });
    expect(api.asked).toEqual([]);
    await user.click(
      within(dialog).getByRole('button', { name: 'Remove build' }),
    );
    await waitFor(() => expect(api.asked).toEqual(['cancel 8']));
  });

  it('lose all their queued builds at once, after a question', async () => {
    api.jobs = [job('payments', []), job('shop', [])];
    api.queue = [
      queueItem('payments', 8, 'Waiting'),
      queueItem('shop', 3, 'Waiting'),
    ];
    const { user } = renderPlugin({ api, path: '/builds' });
    await user.click(await screen.findByRole('button', { name: 'Remove all' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Remove 2 builds from the queue?',
    });
    expect(dialog).toHaveTextContent('payments #8 and shop #3');
    await user.click(
      within(dialog).getByRole('button', { name: 'Remove builds' }),
    );
    await waitFor(() => expect(api.asked).toEqual(['cancel 8', 'cancel 3']));
  });

  it('are not said to be never built if their branches are', async () => {
    api.jobs = [
      job('payments', []),
      job('payments/main', [build(1)], { parent: 'payments' }),
    ];
    renderPlugin({ api, path: '/builds' });
    await screen.findByRole('row', { name: /^payments\/main/ });
    expect(screen.queryByText('Never built')).toBeNull();
  });

  it('are sorted and shown with the columns that the address names', async () => {
    api.jobs = [job('payments', []), job('shop', [build(1)])];
    const { user, address } = renderPlugin({
      api,
      path: '/builds?columns=job,result',
    });
    const grid = await screen.findByRole('grid', { name: 'Jobs' });
    const heads = () =>
      within(grid)
        .getAllByRole('columnheader')
        .map(head => head.textContent);
    expect(heads()).toEqual(['Job', 'Last result']);
    expect(screen.getByRole('button', { name: 'Export CSV' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Views' })).toBeEnabled();
    await user.click(within(grid).getByRole('columnheader', { name: 'Job' }));
    await user.click(within(grid).getByRole('columnheader', { name: 'Job' }));
    expect(address()).toBe('/builds?columns=job%2Cresult&sort=-job');
    expect(
      within(grid)
        .getAllByRole('rowheader')
        .map(cell => cell.textContent),
    ).toEqual([
      expect.stringMatching(/^shop/),
      expect.stringMatching(/^payments/),
    ]);
  });

  it('are run with their parameters', async () => {
    api.jobs = [job('payments', [], { parameterDefinitions: [parameter] })];
    const { user } = renderPlugin({ api, path: '/builds' });
    await user.click(
      await screen.findByRole('button', { name: 'Run payments' }),
    );
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Run job' }));
    expect(
      await within(dialog).findByText('BRANCH is required'),
    ).toBeInTheDocument();
    await user.type(within(dialog).getByRole('textbox'), 'main');
    await user.click(within(dialog).getByRole('button', { name: 'Run job' }));
    expect(
      await screen.findByRole('heading', { name: 'payments #1' }),
    ).toBeInTheDocument();
    expect(api.asked).toEqual(['run payments {"BRANCH":"main"}']);
  });

  it('are run from a filtered list, which they then leave', async () => {
    api.jobs = [job('payments', [build(6, { result: 'FAILURE' })])];
    const { user } = renderPlugin({ api, path: '/builds?result=FAILURE' });
    await user.click(
      await screen.findByRole('button', { name: 'Run payments' }),
    );
    api.jobs = [job('payments', [build(7, { building: true, result: null })])];
    // The list is up to date before the rest of the page.
    const getQueue = api.getQueue.bind(api);
    api.getQueue = async () => {
      await new Promise(resolve => setTimeout(resolve, 100));
      return getQueue();
    };
    await user.click(await screen.findByRole('button', { name: 'Run job' }));
    expect(
      await screen.findByRole('heading', { name: 'payments #1' }),
    ).toBeInTheDocument();
  });

  it('are run with a switch left off', async () => {
    const loud: ParameterDefinition = {
      ...parameter,
      name: 'LOUD',
      type: 'BooleanParameterDefinition',
    };
    api.jobs = [job('payments', [], { parameterDefinitions: [loud] })];
    const { user } = renderPlugin({ api, path: '/builds' });
    await user.click(
      await screen.findByRole('button', { name: 'Run payments' }),
    );
    await user.click(await screen.findByRole('button', { name: 'Run job' }));
    expect(
      await screen.findByRole('heading', { name: 'payments #1' }),
    ).toBeInTheDocument();
    expect(api.asked).toEqual(['run payments {"LOUD":"false"}']);
  });

  it.each([
    ['one', 'SHARE must be a number'],
    ['0', 'SHARE must be at least 1'],
    ['101', 'SHARE must be at most 100'],
  ])('are not run with the number %s', async (value, fault) => {
    const share: ParameterDefinition = {
      ...{ ...parameter, name: 'SHARE', kind: 'number' },
      ...{ minimum: 1, maximum: 100 },
    };
    api.jobs = [job('payments', [], { parameterDefinitions: [share] })];
    const { user } = renderPlugin({ api, path: '/builds' });
    await user.click(
      await screen.findByRole('button', { name: 'Run payments' }),
    );
    const field = await screen.findByRole('textbox');
    await user.type(field, value);
    await user.click(screen.getByRole('button', { name: 'Run job' }));
    expect(await screen.findByText(fault)).toBeInTheDocument();
    await user.clear(field);
    await user.type(field, '50');
    await user.click(screen.getByRole('button', { name: 'Run job' }));
    await waitFor(() =>
      expect(api.asked).toEqual(['run payments {"SHARE":"50"}']),
    );
  });

  it('cannot be run without permission', async () => {
    api.jobs = [job('payments', [], { triggerable: false })];
    renderPlugin({ api, path: '/builds' });
    await screen.findByRole('row', { name: /payments/ });
    expect(screen.queryByRole('button', { name: /Run/ })).toBeNull();
  });

  it.each([
    [undefined, 'No jobs yet'],
    [504, 'The build server is not responding'],
    [403, 'No access to builds'],
    [500, "Couldn't load jobs"],
  ])('with status %s say %s', async (status, title) => {
    api.failing = status;
    renderPlugin({ api, path: '/builds' });
    expect(
      await screen.findByRole('heading', { name: title }),
    ).toBeInTheDocument();
  });
});

describe('a job', () => {
  it('has its builds with their durations', async () => {
    api.jobs = [
      job('payments', [
        build(2, { result: 'UNSTABLE', reason: '1 of 2 tests failed' }),
        build(1, { elapsed: 65_000 }),
      ]),
    ];
    renderPlugin({ api, path: '/builds/payments' });
    const history = await screen.findByRole('grid', { name: 'History' });
    expect(within(history).getByText('1 of 2 tests failed')).toBeVisible();
    expect(within(history).getByText('1 min 5 s')).toBeVisible();
    expect(
      screen.getByRole('group', { name: 'Duration by build' }),
    ).toBeInTheDocument();
  });

  it('shows the names and descriptions of its builds, and searches in them', async () => {
    const description = 'Released to all regions\nby Ada';
    const named = build(8, { displayName: '2.4.0', description });
    api.jobs = [job('payments', [build(9), named])];
    const { user } = renderPlugin({ api, path: '/builds/payments' });
    const history = await screen.findByRole('grid', { name: 'History' });
    expect(within(history).getByText('Released to all regions')).toBeVisible();
    const names = () =>
      within(history)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent);
    expect(names()).toEqual(['#9', '#82.4.0']);
    await user.type(screen.getByRole('searchbox'), '2.4');
    await waitFor(() => expect(names()).toEqual(['#82.4.0']));
  });

  it('says how many builds are kept, and how many may be', async () => {
    const kept = { by: 'user:default/ada', at: Date.now(), reason: null };
    api.jobs = [job('payments', [build(9), build(8, { kept })])];
    renderPlugin({ api, path: '/builds/payments' });
    const label = await screen.findByText('Marked as kept');
    expect(label.parentElement).toHaveTextContent('Marked as kept1 of 20');
  });

  it('marks the builds that are kept, also older ones, and can show only these', async () => {
    const kept = { by: 'user:default/ada', at: Date.now(), reason: 'Release' };
    api.jobs = [
      job('payments', [build(9), build(8, { kept })], {
        keptBuilds: [build(8, { kept }), build(2, { kept })],
      }),
    ];
    const { user, address } = renderPlugin({ api, path: '/builds/payments' });
    const history = await screen.findByRole('grid', { name: 'History' });
    const names = () =>
      within(history)
        .getAllByRole('rowheader')
        .map(({ textContent }) => textContent);
    expect(names()).toEqual(['#9', '#8', '#2']);
    expect(
      within(history).getAllByRole('img', { name: 'Kept: Release' }),
    ).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: /Kept or not/ }));
    await user.click(
      await screen.findByRole('option', { name: 'Kept builds' }),
    );
    await waitFor(() => expect(names()).toEqual(['#8', '#2']));
    expect(address()).toBe('/builds/payments?kept=yes');
  });

  it('lists kept builds that were cancelled in the queue among the others', async () => {
    const kept = { by: 'user:default/ada', at: Date.now(), reason: null };
    api.jobs = [
      job('payments', [build(9), build(7)], {
        keptBuilds: [build(8, { kept })],
      }),
    ];
    renderPlugin({ api, path: '/builds/payments' });
    const history = await screen.findByRole('grid', { name: 'History' });
    const rows = within(history).getAllByRole('rowheader');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      '#9',
      '#8',
      '#7',
    ]);
  });

  it('has the branches and pull requests of its repository', async () => {
    api.jobs = [
      job('payments'),
      job('payments/main', [build(3)], { parent: 'payments' }),
      job('payments/PR-7', [], {
        ...{ parent: 'payments', pullRequest: 7 },
        pullRequestTitle: 'Add a cart',
      }),
      job('payments/PR-12', [], { parent: 'payments', pullRequest: 12 }),
      job('payments-other'),
    ];
    renderPlugin({ api, path: '/builds/payments' });
    expect(await screen.findByRole('link', { name: 'main' })).toHaveAttribute(
      'href',
      '/builds/payments%2Fmain',
    );
    expect(
      screen
        .getAllByRole('link', { name: /^PR-/ })
        .map(({ textContent }) => textContent),
    ).toEqual(['PR-7', 'PR-12']);
    expect(screen.getByText('Add a cart')).toBeInTheDocument();
  });

  it('shows its file with its errors, where events are sent, and when it runs', async () => {
    const faults = [{ message: 'steps is required', line: 1, column: 3 }];
    const webhook = {
      url: 'https://builds.example.org/generic-webhook-trigger/invoke',
      token: 'payments-webhook',
      signingSecrets: ['signing'],
    };
    const nextRunAt = Date.now() + 3 * 3_600_000;
    api.jobs = [
      job('payments', [], {
        ...{ faults, webhook, nextRunAt, schedule: ['H 4 * * *'] },
      }),
    ];
    api.files.set('payments', 'name: payments\n');
    renderPlugin({ api, path: '/builds/payments' });
    const file = await screen.findByRole('list', { name: 'payments.yaml' });
    expect(file).toHaveTextContent('name: payments');
    expect(file).toHaveTextContent('Column 3: steps is required');
    expect(
      screen.getByText(`${webhook.url}?token=<payments-webhook>`),
    ).toBeInTheDocument();
    expect(screen.getByText('H 4 * * *').parentElement).toHaveTextContent(
      /Next run in \d/,
    );
  });

  it('cannot be run while its file has errors', async () => {
    const faults = [{ message: 'steps is required', line: 1, column: 1 }];
    api.jobs = [job('payments', [], { faults })];
    renderPlugin({ api, path: '/builds/payments' });
    await screen.findByText(/^payments\.yaml has errors/);
    expect(screen.queryByRole('button', { name: 'Run job' })).toBeNull();
  });

  it('is listed with the reason why it cannot be run', async () => {
    const faults = [{ message: 'steps is required', line: 1, column: 1 }];
    api.jobs = [
      job('payments', [build(1)], { faults }),
      job('shop', [build(1)], { disabledBy: 'user:default/ada' }),
      job('orders', [build(1)]),
    ];
    renderPlugin({ api, path: '/builds' });
    const payments = await screen.findByRole('row', { name: /payments/ });
    expect(within(payments).getByText('File errors')).toBeVisible();
    const shop = screen.getByRole('row', { name: /shop/ });
    expect(within(shop).getByText('Disabled')).toBeVisible();
    expect(screen.getByRole('button', { name: /^Run / })).toHaveAccessibleName(
      'Run orders',
    );
  });

  it('that does not exist is reported as not found', async () => {
    renderPlugin({ api, path: '/builds/none' });
    expect(
      await screen.findByText('Job or build not found'),
    ).toBeInTheDocument();
  });
});

describe('a build', () => {
  it('shows steps, tests, changes and its log, and can be stopped', async () => {
    api.jobs = [job('payments')];
    api.builds.set(
      'payments #3',
      build(3, {
        building: true,
        result: null,
        stoppable: true,
        steps: [
          {
            name: 'Compile',
            state: 'running',
            startedAt: Date.now() - 2_000,
            finishedAt: null,
            message: null,
          },
        ],
        tests: {
          total: 5,
          failed: 1,
          skipped: 0,
          failures: [{ suite: 'Money', name: 'rounds', message: '1 != 2' }],
        },
        changeSet: {
          items: [
            {
              commitId: '8d7f1a0c99',
              msg: 'Round half to even',
              author: { fullName: 'Ada' },
            },
          ],
        },
      }),
    );
    api.logs.set('payments #3', 'plain\n\u001b[31mred\u001b[0m\nplain again\n');
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    expect(
      await screen.findByRole('link', { name: /Compile/ }),
    ).toBeInTheDocument();
    expect(screen.getByText('1 of 5 failed, 0 skipped')).toBeInTheDocument();
    expect(screen.getByText('Round half to even')).toBeInTheDocument();
    expect(
      screen.getByRole('log', { name: 'Log of payments #3' }),
    ).toBeInTheDocument();
    await user.type(screen.getByRole('searchbox'), 'PLAIN');
    expect(await screen.findByText('1 of 2')).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: 'Stop build' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(
      within(dialog).getByRole('button', { name: 'Stop build' }),
    );
    await waitFor(() => expect(api.asked).toEqual(['stop payments #3']));
  });

  it('that runs tells how long it usually takes, and that someone is stopping it', async () => {
    api.jobs = [job('payments')];
    const running = { building: true, result: null, stoppable: false };
    api.builds.set(
      'payments #3',
      build(3, { ...running, estimatedDuration: 300_000 }),
    );
    renderPlugin({ api, path: '/builds/payments/3' });
    expect(await screen.findByText('Usual duration')).toBeInTheDocument();
    expect(screen.getByText('5 min')).toBeInTheDocument();
    expect(
      await screen.findByRole('button', { name: /^Stopping/ }),
    ).toBeDisabled();
  });

  it('that has ended links to its commit and adjacent builds, and can be run again', async () => {
    const commit = 'de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3';
    const three = build(3, {
      revision: commit,
      ref: 'refs/heads/main',
      queuedAt: Date.now() - 3_605_000,
      cause: 'Triggered by push of shop/payments refs/heads/main',
    });
    api.jobs = [
      job('payments', [build(5), three, build(1)], {
        repository: 'https://forge.example.org/shop/payments.git',
      }),
    ];
    api.builds.set('payments #3', three);
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    expect(
      await screen.findByRole('link', { name: commit.slice(0, 10) }),
    ).toHaveAttribute(
      'href',
      `https://forge.example.org/shop/payments/commit/${commit}`,
    );
    expect(screen.getByRole('link', { name: 'main' })).toHaveAttribute(
      'href',
      'https://forge.example.org/shop/payments/commits/main',
    );
    expect(screen.getByText('5.0 s')).toBeInTheDocument();
    expect(
      screen.getByRole('link', { name: 'Previous build: #1' }),
    ).toHaveAttribute('href', '/builds/payments/1');
    expect(
      screen.getByRole('link', { name: 'Next build: #5' }),
    ).toHaveAttribute('href', '/builds/payments/5');
    await user.click(screen.getByRole('button', { name: 'Run again' }));
    expect(
      await screen.findByRole('heading', { name: 'payments #4' }),
    ).toBeInTheDocument();
    expect(api.asked).toEqual(['rebuild payments #3']);
  });

  it('shows its stages as a graph whose steps link to their logs', async () => {
    api.jobs = [job('payments', [build(3)])];
    const steps = [
      step('Compile', { state: 'done' }),
      step('Lint', { state: 'failed', needs: [0], message: 'exit code 1' }),
      step('Test', { state: 'done', needs: [0] }),
    ];
    api.builds.set('payments #3', build(3, { steps, result: 'FAILURE' }));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    const lint = await screen.findByRole('link', {
      name: /^Failed ?Lint.* ?after Compile$/,
    });
    expect(lint.getAttribute('href')).toBe('/builds/payments/3#step:2');
    const compile = screen.getByRole('link', { name: /^Passed ?Compile/ });
    compile.focus();
    await user.keyboard('{ArrowRight}');
    expect(lint).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('link', { name: /Test/ })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Run failed steps' }));
    await waitFor(() =>
      expect(api.asked).toEqual(['rebuild payments #3 {"only":"failed"}']),
    );
  });

  it('is kept with a reason, and shown as kept, until someone stops', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.builds.set('payments #3', build(3));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(await screen.findByRole('button', { name: 'Keep build' }));
    const dialog = await screen.findByRole('dialog', {
      name: 'Keep payments #3?',
    });
    await user.type(
      within(dialog).getByRole('textbox', { name: 'Reason (optional)' }),
      'Release 2.4{Enter}',
    );
    expect(
      await screen.findByRole('img', { name: 'Kept: Release 2.4' }),
    ).toBeInTheDocument();
    expect(screen.getByText('Kept by').parentElement).toHaveTextContent(
      /^Kept byada .*Release 2\.4$/,
    );
    const button = screen.getByRole('button', { name: 'Stop keeping build' });
    await waitFor(() => expect(button).toHaveFocus());
    await user.click(button);
    await user.click(
      within(
        await screen.findByRole('dialog', {
          name: 'Stop keeping payments #3?',
        }),
      ).getByRole('button', { name: 'Stop keeping build' }),
    );
    await waitFor(() =>
      expect(screen.queryByRole('img', { name: /^Kept/ })).toBeNull(),
    );
    expect(api.asked).toEqual([
      'keep payments #3 Release 2.4',
      'stop keeping payments #3',
    ]);
  });

  it('is named and described', async () => {
    const three = build(3, { description: 'First\nSecond' });
    api.jobs = [job('payments', [three])];
    api.builds.set('payments #3', three);
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(
      await screen.findByRole('button', { name: 'Edit name and description' }),
    );
    const dialog = await screen.findByRole('dialog', {
      name: 'Name and describe payments #3',
    });
    const description = within(dialog).getByRole('textbox', {
      name: 'Description',
    });
    expect(description).toHaveValue('First\nSecond');
    await user.clear(description);
    await user.type(description, 'Tested');
    await user.type(
      within(dialog).getByRole('textbox', { name: /^Name/ }),
      '2.4.0{Enter}',
    );
    expect(
      await screen.findByRole('heading', { name: 'payments #3: 2.4.0' }),
    ).toBeInTheDocument();
    expect(screen.getByText('Description').parentElement).toHaveTextContent(
      'DescriptionTested',
    );
    expect(api.asked).toEqual([
      'describe payments #3 {"displayName":"2.4.0","description":"Tested"}',
    ]);
  });

  it('keeps its name if it could not be changed', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.builds.set('payments #3', build(3, { displayName: '2.4.0' }));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(
      await screen.findByRole('button', { name: 'Edit name and description' }),
    );
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByRole('textbox', { name: /^Name/ })).toHaveValue(
      '2.4.0',
    );
    api.failing = 403;
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(
      await within(dialog).findByText("Couldn't save the name and description"),
    ).toBeInTheDocument();
    expect(api.asked).toEqual([]);
  });

  it('says how many builds are kept before it is', async () => {
    const kept = { by: 'user:default/ada', at: Date.now(), reason: null };
    api.jobs = [
      job('payments', [build(3), build(2, { kept })], { maxKeptBuilds: 2 }),
    ];
    api.builds.set('payments #3', build(3));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(await screen.findByRole('button', { name: 'Keep build' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'The job keeps 1 of at most 2 builds.',
    );
  });

  it('leads to the builds that are kept if there may be no more', async () => {
    const kept = { by: 'user:default/ada', at: Date.now(), reason: null };
    api.jobs = [
      job('payments', [build(3), build(2, { kept })], { maxKeptBuilds: 1 }),
    ];
    api.builds.set('payments #3', build(3));
    const { user, address } = renderPlugin({
      api,
      path: '/builds/payments/3',
    });
    await user.click(await screen.findByRole('button', { name: 'Keep build' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).toHaveTextContent(
      'The job keeps 1 of at most 1 builds. Stop keeping one of them first:',
    );
    await user.click(
      within(dialog).getByRole('link', { name: 'Kept builds of payments' }),
    );
    await waitFor(() => expect(address()).toBe('/builds/payments?kept=yes'));
  });

  it('says why it could not be kept', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.builds.set('payments #3', build(3));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(await screen.findByRole('button', { name: 'Keep build' }));
    const dialog = await screen.findByRole('dialog');
    api.failing = 409;
    await user.click(
      within(dialog).getByRole('button', { name: 'Keep build' }),
    );
    expect(
      await within(dialog).findByText("Couldn't keep payments #3"),
    ).toBeInTheDocument();
  });

  it.each([
    [null, false],
    ['shop', true],
  ])(
    'of a job with the parent %j says how long it is kept',
    async (parent, isOfBranch) => {
      api.jobs = [job('shop'), job('shop/main', [build(3)], { parent })];
      api.builds.set('shop/main #3', build(3));
      const { user } = renderPlugin({ api, path: '/builds/shop%2Fmain/3' });
      await user.click(
        await screen.findByRole('button', { name: 'Keep build' }),
      );
      const dialog = await screen.findByRole('dialog');
      expect(
        within(dialog).queryByText(
          /When the branch or pull request is gone/,
        ) !== null,
      ).toBe(isOfBranch);
    },
  );

  it('cannot be kept without permission, but shows that it is', async () => {
    const kept = { by: 'token:release', at: Date.now(), reason: null };
    api.jobs = [job('payments', [build(3, { kept })], { triggerable: false })];
    api.builds.set('payments #3', build(3, { kept }));
    renderPlugin({ api, path: '/builds/payments/3' });
    expect(
      await screen.findByRole('img', { name: 'Kept' }),
    ).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /keep|name/i })).toBeNull();
  });

  it('is run again with other parameters', async () => {
    api.jobs = [
      job('payments', [build(3)], { parameterDefinitions: [parameter] }),
    ];
    api.builds.set('payments #3', build(3, { parameters: { BRANCH: 'main' } }));
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    await user.click(
      await screen.findByRole('button', {
        name: 'Run again with other parameters',
      }),
    );
    const dialog = await screen.findByRole('dialog');
    const field = within(dialog).getByRole('textbox', { name: /BRANCH/ });
    expect(field).toHaveValue('main');
    await user.type(field, '-2');
    await user.click(within(dialog).getByRole('button', { name: 'Run job' }));
    await waitFor(() =>
      expect(api.asked).toEqual([
        'rebuild payments #3 {"parameters":{"BRANCH":"main-2"}}',
      ]),
    );
  });

  it('opens its first failed test with its history', async () => {
    const { user } = openFailed();
    const message = await screen.findByRole('region', {
      name: 'Message of rounds',
    });
    expect(message).toHaveTextContent('1 != 2');
    expect(screen.getByText('New')).toBeInTheDocument();
    expect(screen.getByText('failed 4 times in 14 days')).toBeInTheDocument();
    expect(
      await screen.findByRole('link', { name: /^payments #2: Passed/ }),
    ).toHaveAttribute('href', '/builds/payments/2');
    await user.click(screen.getByRole('button', { name: /Tests to show/ }));
    await user.click(await screen.findByRole('option', { name: 'All tests' }));
    expect(await screen.findByText('adds')).toBeInTheDocument();
  });

  function openFailed() {
    api.jobs = [job('payments', [build(3)])];
    const failure = { suite: 'Money', name: 'rounds', message: '1 != 2' };
    api.builds.set(
      'payments #3',
      build(3, {
        tests: { total: 2, failed: 1, skipped: 0, failures: [failure] },
      }),
    );
    const common = { suite: 'Money', isFlaky: false, durationMs: 9 };
    api.tests.set('payments #3', [
      {
        ...{ ...common, ...failure, id: 'a', outcome: 'failed' },
        ...{ isNew: true, failures: 4 },
      },
      {
        ...{ ...common, id: 'b', name: 'adds', outcome: 'passed' },
        ...{ isNew: false, failures: 0, message: null },
      },
    ]);
    const run = { job: 'payments', durationMs: 9, sha: null, finishedAt: 0 };
    api.testRuns.set('payments a', {
      ...{ suite: 'Money', name: 'rounds' },
      runs: [
        { ...run, number: 3, outcome: 'failed' },
        { ...run, number: 2, outcome: 'passed' },
      ],
    });
    return renderPlugin({ api, path: '/builds/payments/3' });
  }

  it('that waits for a person is approved with the requested input', async () => {
    api.jobs = [job('payments', [build(3)])];
    const steps = [step('Approve', { state: 'waiting' })];
    api.builds.set(
      'payments #3',
      build(3, { steps, building: true, waiting: true, result: null }),
    );
    api.approvals.set('payments #3', [
      {
        ...{ step: 'Approve', message: 'Deploy to production?' },
        ...{ state: 'waiting', openedAt: Date.now(), by: ['user:default/ada'] },
        inputs: [{ ...parameter, name: 'SHARE', description: '' }],
        ...{ expired: false, decidable: true },
        ...{ decidedBy: null, decidedAt: null },
        ...{ comment: null, values: {} },
      },
    ]);
    const { user } = renderPlugin({ api, path: '/builds/payments/3' });
    const approve = await screen.findByRole('button', { name: 'Approve' });
    expect(screen.getByText('Waiting')).toBeInTheDocument();
    await user.click(approve);
    expect(await screen.findByText('SHARE is required')).toBeInTheDocument();
    await user.type(screen.getByRole('textbox', { name: /SHARE/ }), '5');
    await user.click(approve);
    const dialog = await screen.findByRole('dialog', {
      name: 'Approve payments #3?',
    });
    expect(within(dialog).getByText('Deploy to production?')).toBeVisible();
    expect(within(dialog).getByText('SHARE: 5')).toBeVisible();
    expect(api.asked).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
    await waitFor(() =>
      expect(api.asked).toEqual([
        'decide payments #3 {"step":"Approve","decision":"approve","inputs":{"SHARE":"5"}}',
      ]),
    );
    expect(await screen.findByText('SHARE: 5')).toBeVisible();
    // The button that had the focus is gone.
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Approvals' })).toHaveFocus(),
    );
  });

  it('offers no decision on a step that has ended without one', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.builds.set('payments #3', build(3, { building: true, result: null }));
    api.approvals.set('payments #3', [
      {
        ...{ step: 'Approve', message: 'Deploy to production?' },
        ...{ state: 'waiting', openedAt: Date.now(), by: null, inputs: [] },
        ...{ expired: true, decidable: false },
        ...{ decidedBy: null, decidedAt: null, comment: null, values: {} },
      },
    ]);
    renderPlugin({ api, path: '/builds/payments/3' });
    await screen.findByText('Nobody decided in time.');
    expect(screen.queryByText(/^Waiting for someone/)).toBeNull();
  });

  it('keeps what is typed about one build apart from another', async () => {
    api.jobs = [job('payments', [build(4), build(3)])];
    const steps = [step('Approve', { state: 'waiting' })];
    for (const number of [3, 4]) {
      api.builds.set(
        `payments #${number}`,
        build(number, { steps, building: true, waiting: true, result: null }),
      );
      api.approvals.set(`payments #${number}`, [
        {
          ...{ step: 'Approve', message: 'Deploy?', state: 'waiting' },
          ...{ openedAt: Date.now(), by: null, inputs: [] },
          ...{ expired: false, decidable: true },
          ...{ decidedBy: null, decidedAt: null, comment: null, values: {} },
        },
      ]);
    }
    const { user, go } = renderPlugin({ api, path: '/builds/payments/4' });
    await screen.findByRole('textbox', { name: /Comment/ });
    go('/builds/payments/3');
    await screen.findByRole('heading', { name: /payments #3/ });
    await user.type(
      await screen.findByRole('textbox', { name: /Comment/ }),
      'Fine',
    );
    go('/builds/payments/4');
    await screen.findByRole('heading', { name: /payments #4/ });
    expect(await screen.findByRole('textbox', { name: /Comment/ })).toHaveValue(
      '',
    );
  });

  it('has no button for those who may not run its job', async () => {
    api.jobs = [job('payments', [build(2)], { triggerable: false })];
    api.builds.set('payments #2', build(2));
    api.builds.set('payments #1', build(1, { building: true, result: null }));
    renderPlugin({ api, path: '/builds/payments/1' });
    await screen.findByRole('link', { name: 'Next build: #2' });
    expect(screen.queryByRole('button', { name: 'Stop build' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
  });

  it('of a branch that is gone can be stopped, but not run again', async () => {
    api.jobs = [job('payments', [build(8)])];
    const running = build(7, { building: true, result: null, stoppable: true });
    api.builds.set('payments/PR-7 #7', running);
    api.builds.set('payments/PR-7 #6', build(6));
    const { user, go } = renderPlugin({
      api,
      path: '/builds/payments%2FPR-7/7',
    });
    await user.click(await screen.findByRole('button', { name: 'Stop build' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(
      within(dialog).getByRole('button', { name: 'Stop build' }),
    );
    await waitFor(() => expect(api.asked).toEqual(['stop payments/PR-7 #7']));
    expect(
      await screen.findByRole('link', { name: 'payments' }),
    ).toHaveAttribute('href', '/builds/payments');
    go('/builds/payments%2FPR-7/6');
    await screen.findByRole('heading', { name: /PR-7 #6/ });
    expect(screen.queryByRole('button', { name: 'Run again' })).toBeNull();
    expect(screen.queryByRole('link', { name: /build: #/ })).toBeNull();
  });

  it('hands out its artifacts', async () => {
    api.jobs = [job('payments/main', [build(1)])];
    URL.createObjectURL = () => 'blob:cart';
    URL.revokeObjectURL = () => {};
    const artifacts = [{ relativePath: 'dist/cart.tgz', size: 2_048 }];
    api.builds.set('payments/main #1', build(1, { artifacts }));
    const { user } = renderPlugin({ api, path: '/builds/payments%2Fmain/1' });
    expect(await screen.findByText('2.0 KiB')).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'dist/cart.tgz' }));
    await waitFor(() =>
      expect(api.asked).toEqual(['download dist/cart.tgz of payments/main #1']),
    );
  });

  it('hands out all its artifacts at once', async () => {
    api.jobs = [job('payments/main', [build(1)])];
    URL.createObjectURL = () => 'blob:all';
    URL.revokeObjectURL = () => {};
    const artifacts = [
      { relativePath: 'dist/cart.tgz', size: 2_048 },
      { relativePath: 'dist/shop.tgz', size: 1_024 },
    ];
    api.builds.set('payments/main #1', build(1, { artifacts }));
    const { user } = renderPlugin({ api, path: '/builds/payments%2Fmain/1' });
    await user.click(
      await screen.findByRole('button', { name: 'Download all' }),
    );
    await waitFor(() =>
      expect(api.asked).toEqual([
        'download *zip*/archive.zip of payments/main #1',
      ]),
    );
  });

  it('is not missing while it may be queued', async () => {
    api.jobs = [job('payments', [build(3)])];
    const answers: ((items: []) => void)[] = [];
    api.getQueue = () => new Promise(resolve => answers.push(resolve));
    renderPlugin({ api, path: '/builds/payments/4' });
    await waitFor(() => expect(answers).toHaveLength(1));
    expect(screen.queryByText('Job or build not found')).toBeNull();
    answers[0]([]);
    expect(
      await screen.findByText('Job or build not found'),
    ).toBeInTheDocument();
  });

  it('is not missing if the queue could not be loaded', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.getQueue = () => Promise.reject(new Error('Gone'));
    renderPlugin({ api, path: '/builds/payments/4' });
    expect(
      await screen.findByText("Couldn't load payments #4"),
    ).toBeInTheDocument();
    expect(screen.queryByText('Job or build not found')).toBeNull();
  });

  it('that is queued shows the reason, and can be removed', async () => {
    api.jobs = [job('payments', [build(3)])];
    api.queue = [queueItem('payments', 4)];
    const { user } = renderPlugin({ api, path: '/builds/payments/4' });
    expect(
      await screen.findByRole('heading', { name: 'payments #4 is queued' }),
    ).toBeInTheDocument();
    expect(screen.getByText(/is number 1 in the queue/)).toBeInTheDocument();
    await user.click(
      await screen.findByRole('button', { name: 'Remove from the queue' }),
    );
    expect(api.queue).toHaveLength(1);
    await user.click(
      await screen.findByRole('button', { name: 'Remove build' }),
    );
    await vi.waitFor(() => expect(api.queue).toEqual([]));
  });
});
