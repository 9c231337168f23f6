import { renderInTestApp } from '@backstage/frontend-test-utils';
import { screen, waitFor, within } from '@testing-library/react';
import { build, FakeBuildsApi, job } from '../__testUtils__/FakeBuildsApi';
import { renderPlugin } from '../__testUtils__/renderPlugin';
import { JobFaults } from './JobPage';
import { JobFacts } from './JobSetup';

it.each([
  [{}, 'All'],
  [{ keepBuilds: 50 }, 'Last 50'],
  [{ keepDays: 90 }, '90 days'],
  [{ keepDays: 1 }, '1 day'],
  [{ keepBuilds: 50, keepDays: 1 }, 'Last 50, up to 1 day'],
  [{ keepBuilds: 50, keepDays: 90 }, 'Last 50, up to 90 days'],
])('says of %o which builds are kept', async (discardOldBuilds, text) => {
  renderInTestApp(<JobFacts job={job('payments', [], { discardOldBuilds })} />);
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText('Secrets used')).not.toBeInTheDocument();
});

it('names the secrets that steps are given', async () => {
  renderInTestApp(
    <JobFacts job={job('payments', [], { secrets: ['deploy', 'npm'] })} />,
  );
  expect(await screen.findByText('deploy, npm')).toBeInTheDocument();
});

it('shows the errors in its file, with their lines', async () => {
  const faults = [{ message: 'steps is required', line: 3, column: 5 }];
  renderInTestApp(<JobFaults job={job('payments', [], { faults })} />);
  expect(
    await screen.findByText(
      'payments.yaml has errors, so the job cannot be run',
    ),
  ).toBeInTheDocument();
  expect(
    screen.getByText('Line 3, column 5: steps is required.'),
  ).toBeInTheDocument();
});

it('names the call that runs it, until it was built', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [job('shop/main', [])];
  renderPlugin({ api, path: '/builds/shop%2Fmain' });
  expect(
    await screen.findByText(
      'curl -X POST -u USER:TOKEN https://builds.example.org/job/shop%2Fmain/build',
    ),
  ).toBeInTheDocument();
});

it.each([
  ['its last build', '/builds/shop%2Fmain'],
  ['a build', '/builds/shop%2Fmain/3'],
])('shows all errors in the pipelines of %s', async (_which, path) => {
  const api = new FakeBuildsApi();
  const faults = [
    { file: '.slipway/ci.yaml', message: 'A', line: 2, column: 1 },
    { file: '.slipway/ci.yaml', message: 'B', line: 4, column: 3 },
    { file: '.slipway/x.yaml', message: 'C', line: 1, column: 1 },
  ];
  const last = build(3, { result: 'FAILURE', pipelineFaults: faults });
  api.jobs = [job('shop/main', [last, build(2)])];
  api.builds.set('shop/main #3', last);
  renderPlugin({ api, path });
  expect(
    await screen.findByText('.slipway/ci.yaml has errors in build #3'),
  ).toBeInTheDocument();
  expect(screen.getByText('Line 2, column 1: A.')).toBeInTheDocument();
  expect(screen.getByText('Line 4, column 3: B.')).toBeInTheDocument();
  expect(
    screen.getByText('.slipway/x.yaml has errors in build #3'),
  ).toBeInTheDocument();
});

it.each([
  ['with', 'payments.yaml', 1],
  ['without', null, 0],
])('asks for the file only of a job %s one', async (_which, file, requests) => {
  const api = new FakeBuildsApi();
  api.jobs = [job('payments', [], { file })];
  const read = vi.spyOn(api, 'getJobFile');
  renderPlugin({ api, path: '/builds/payments' });
  await screen.findByRole('button', { name: 'Run job' });
  expect(read).toHaveBeenCalledTimes(requests);
});

it('is disabled after a question, and enabled, by those who may', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [job('payments', [], { manageable: true }), job('shop')];
  const { user } = renderPlugin({ api, path: '/builds/payments' });
  await user.click(await screen.findByRole('button', { name: 'Disable job' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Disable job' }));
  expect(await screen.findByText('ada disabled this job')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Run job' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Enable job' }));
  expect(
    await screen.findByRole('button', { name: 'Run job' }),
  ).toBeInTheDocument();
  expect(api.asked).toEqual(['disable payments', 'enable payments']);
});

it('offers that to no other', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [job('shop', [], { disabledBy: 'token:admin' })];
  renderPlugin({ api, path: '/builds/shop' });
  expect(
    await screen.findByText('admin disabled this job'),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /able job/ })).toBeNull();
});

it('filters its builds by result and by cause or reason', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [
    job('shop', [
      build(3, {
        result: 'FAILURE',
        cause: 'Push by ada',
        reason: 'Timed out',
      }),
      build(2, { result: 'FAILURE', cause: 'Push by grace' }),
      build(1, { result: 'SUCCESS', cause: 'Push by ada' }),
    ]),
  ];
  const { user } = renderPlugin({ api, path: '/builds/shop?result=FAILURE' });
  const builds = () =>
    within(screen.getByRole('grid', { name: 'History' }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  await screen.findByRole('grid', { name: 'History' });
  expect(builds()).toEqual(['#3', '#2']);
  const search = screen.getByLabelText('Search causes and reasons');
  await user.type(search, 'timed');
  await waitFor(() => expect(builds()).toEqual(['#3']));
  await user.type(search, ' in');
  expect(await screen.findByText('No matching builds')).toBeInTheDocument();
});

it('has the builds of its main branch while it has none of its own', async () => {
  const api = new FakeBuildsApi();
  api.jobs = [
    job('shop', [], { mainBranch: 'shop/main' }),
    job('shop/main', [build(7, { result: 'FAILURE' })], { parent: 'shop' }),
  ];
  renderPlugin({ api, path: '/builds/shop' });
  const builds = await screen.findByRole('region', {
    name: 'Builds of shop/main',
  });
  const history = await within(builds).findByRole('grid', { name: 'History' });
  expect(within(history).getByRole('link', { name: '#7' })).toHaveAttribute(
    'href',
    '/builds/shop%2Fmain/7',
  );
  expect(screen.queryByText('Never built')).toBeNull();
});

describe('a job that fails', () => {
  const repository = 'https://forge.example.org/shop/cart.git';
  const builds = [
    build(9, { building: true, result: null }),
    build(8, { result: 'ABORTED' }),
    build(7, {
      ...{ result: 'FAILURE', reason: 'Test failed: exit code 1' },
      revision: 'b'.repeat(40),
    }),
    build(6, { result: 'UNSTABLE', reason: '1 of 2 tests failed' }),
    build(5, { revision: 'a'.repeat(40) }),
    build(4, { result: 'FAILURE' }),
  ];
  const facts = async () => {
    const panel = await screen.findByRole('region', { name: 'Failing' });
    return within(panel)
      .getAllByRole('term')
      .map(({ parentElement }) => parentElement!.textContent);
  };

  it('says why, since when, and what has changed since it succeeded', async () => {
    const api = new FakeBuildsApi();
    api.jobs = [job('shop', builds, { repository })];
    renderPlugin({ api, path: '/builds/shop' });
    expect(await facts()).toEqual([
      'Last failure#7 1 hour agoTest failed: exit code 1',
      'Failing since#6 1 hour ago2 builds',
      'Last success#5 1 hour ago',
      'Changes since last successaaaaaaaaaa…bbbbbbbbbb',
    ]);
    expect(
      screen.getByRole('link', { name: /aaaaaaaaaa…bbbbbbbbbb/ }),
    ).toHaveAttribute(
      'href',
      `https://forge.example.org/shop/cart/compare/${'a'.repeat(40)}...${'b'.repeat(40)}`,
    );
  });

  it('says so on the page of a build, as of that build', async () => {
    const api = new FakeBuildsApi();
    api.jobs = [job('shop', builds)];
    for (const one of builds) {
      api.builds.set(`shop #${one.number}`, one);
    }
    renderPlugin({ api, path: '/builds/shop/6' });
    expect(await facts()).toEqual([
      'Failing since#6 1 hour ago1 build',
      'Last success#5 1 hour ago',
    ]);
  });

  it('says that none of the listed builds has succeeded', async () => {
    const api = new FakeBuildsApi();
    api.jobs = [job('shop', builds.slice(2, 4))];
    renderPlugin({ api, path: '/builds/shop' });
    expect(await facts()).toEqual([
      'Last failure#7 1 hour agoTest failed: exit code 1',
      'Last successNone in 2 builds',
    ]);
  });

  it.each([5, 8, 9])('is not mentioned on the page of #%s', async number => {
    const api = new FakeBuildsApi();
    api.jobs = [job('shop', builds)];
    api.builds.set(
      `shop #${number}`,
      builds.find(one => one.number === number)!,
    );
    renderPlugin({ api, path: `/builds/shop/${number}` });
    await screen.findByRole('navigation', { name: 'Adjacent builds' });
    expect(screen.queryByRole('region', { name: 'Failing' })).toBeNull();
  });
});

it('says that its last push was skipped, and why', async () => {
  const api = new FakeBuildsApi();
  const skipped = {
    ...{ commit: '8d7f1a0c8d7f1a0c', ref: 'refs/heads/docs' },
    ...{ title: 'Fix a typo', at: Date.now() },
  };
  api.jobs = [
    job('shop'),
    job('shop/docs', [], { parent: 'shop', skipped }),
    job('shop/main', [build(1)], { parent: 'shop', skipped }),
  ];
  renderPlugin({ api, path: '/builds/shop%2Fdocs' });
  expect(
    await screen.findByText('The last push was skipped'),
  ).toBeInTheDocument();
  expect(
    screen.getByText(
      'Its commit message contains [skip ci]: “Fix a typo” (docs 8d7f1a0c8d)',
    ),
  ).toBeInTheDocument();
  expect(screen.getByText('Skipped')).toBeInTheDocument();
});

it('says that a push without a ref and a commit was skipped', async () => {
  const api = new FakeBuildsApi();
  const skipped = { commit: null, ref: null, title: '[skip ci] A', at: 0 };
  api.jobs = [job('shop', [], { skipped })];
  renderPlugin({ api, path: '/builds/shop' });
  expect(
    await screen.findByText(
      'Its commit message contains [skip ci]: “[skip ci] A”',
    ),
  ).toBeInTheDocument();
});

it('lists branches that were never built as skipped, if they are', async () => {
  const api = new FakeBuildsApi();
  const skipped = { commit: null, ref: null, title: '[skip ci]', at: 0 };
  api.jobs = [
    job('shop'),
    job('shop/docs', [], { parent: 'shop', skipped }),
    job('shop/main', [build(1)], { parent: 'shop', skipped }),
    job('shop/next', [], { parent: 'shop' }),
  ];
  renderPlugin({ api, path: '/builds/shop' });
  const list = await screen.findByRole('grid', {
    name: 'Branches and pull requests',
  });
  expect(
    within(list)
      .getAllByRole('row')
      .map(({ textContent }) => textContent)
      .slice(1),
  ).toEqual([
    expect.stringContaining('Skipped'),
    expect.stringContaining('Success'),
    expect.stringContaining('Never built'),
  ]);
  expect(screen.queryByText('The last push was skipped')).toBeNull();
});
