import {
  agent,
  build,
  FakeBuildsApi,
  job,
  queueItem,
  step,
} from '../src/__testUtils__/FakeBuildsApi';
import type { BuildDetails, TestResult } from '../src/api/BuildsApi';

const MINUTE_MS = 60_000;

/** Creates a fake build server with builds of every kind. */
export function sampleBuilds(): FakeBuildsApi {
  const api = new FakeBuildsApi();
  const builds = Array.from({ length: 12 }, (_, index) =>
    build(12 - index, {
      result: index % 5 === 3 ? 'FAILURE' : 'SUCCESS',
      elapsed: 20_000 + ((index * 7) % 5) * 9_000,
      timestamp: Date.now() - index * 90 * MINUTE_MS,
      ...(index === 4 && {
        displayName: '2.4.0',
        description: 'Released to all regions',
        kept: {
          by: 'user:default/ada',
          at: Date.now() - 60 * MINUTE_MS,
          reason: 'Release 2.4',
        },
      }),
    }),
  );
  const special = [named(), large(), waiting(), running(), failing()];
  const parameterDefinitions = [
    {
      name: 'ENVIRONMENT',
      type: 'ChoiceParameterDefinition' as const,
      description: 'Where to deploy',
      required: true,
      choices: ['staging', 'production'],
      defaultParameterValue: { value: 'staging' },
    },
  ];
  api.jobs = [
    job('payments-api', [...special, ...builds], {
      parameterDefinitions,
      repository: 'https://forge.example.org/shop/payments-api.git',
      schedule: ['H 4 * * 1-5'],
      nextRunAt: Date.now() + 200 * MINUTE_MS,
      secrets: ['payments-deploy'],
      webhook: {
        url: 'https://builds.example.org/generic-webhook-trigger/invoke',
        token: 'payments-webhook',
        signingSecrets: ['payments-signing'],
      },
    }),
    ...['main', 'fix/rounding', 'PR-7'].map((name, index) =>
      job(`payments-api/${name}`, builds.slice(index, index + 3), {
        parent: 'payments-api',
        pullRequest: name === 'PR-7' ? 7 : null,
      }),
    ),
    job('shop', [], {
      faults: [{ message: 'steps is required', line: 2, column: 1 }],
    }),
    job('agents'),
  ];
  api.files.set('payments-api', 'name: payments-api\nsteps:\n  - run: test\n');
  api.files.set('shop', 'name: shop\nstep: []\n');
  api.agents = [
    agent('linux-1', { running: [{ job: 'payments-api', number: 14 }] }),
    agent('linux-2', { labels: ['linux', 'gpu'], state: 'draining' }),
  ];
  api.queue = [queueItem('payments-api', 18)];
  [...special, ...builds].forEach(one =>
    api.builds.set(`payments-api #${one.number}`, one),
  );
  fillFailing(api);
  fillRunning(api);
  return api;
}

function failing(): BuildDetails {
  return build(13, {
    result: 'FAILURE',
    reason: 'Test (24, slim) failed: exit code 1',
    revision: 'de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3',
    ref: 'refs/pull/7/head',
    author: 'Ada Lovelace',
    pullRequest: {
      number: 7,
      title: 'Round half to even',
      branch: 'fix/rounding',
      base: 'main',
      url: 'https://forge.example.org/shop/payments-api/pulls/7',
    },
    parameters: { ENVIRONMENT: 'staging' },
    artifacts: [{ relativePath: 'dist/payments.tgz', size: 204_800 }],
    tests: { total: 412, failed: 2, skipped: 3, failures: [] },
    steps: [
      step('Check out', { state: 'done' }),
      step('Lint', { state: 'warning', needs: [0], message: 'exit code 2' }),
      step('Compile', { state: 'done', needs: [0] }),
      step('Test (22, slim)', { state: 'done', needs: [2] }),
      step('Test (24, slim)', {
        ...{ state: 'failed', needs: [2], message: 'exit code 1' },
      }),
      step('Package', { state: 'skipped', needs: [1, 3, 4] }),
      step('Deploy', { state: 'skipped', needs: [5] }),
    ],
  });
}

function fillFailing(api: FakeBuildsApi): void {
  api.logs.set(
    'payments-api #13',
    [
      'Triggered by push of shop/payments-api',
      '==> Check out',
      'Checked out de9f2c7fd25e1b3afad3e85a0bd17d9b100db4b3',
      '==> Compile',
      ...Array.from({ length: 900 }, (_, index) => `compiled ${index}.ts`),
      '==> Test (24, slim)',
      '::group::Install',
      'added 312 packages in 4 s',
      '::endgroup::',
      '\u001b[32m✓\u001b[0m adds two amounts',
      '\u001b[31m✗ rounds half to even\u001b[0m, see https://forge.example.org/docs/rounding.',
      '::error file=src/money.ts,line=12::expected 1.24, was 1.23',
      '\u001b[41;97m FAIL \u001b[0m src/money.test.ts',
      '',
    ].join('\n'),
  );
  const test = (name: string, more: Partial<TestResult>): TestResult => ({
    ...{ id: name, suite: 'Money', name, outcome: 'failed', durationMs: 12 },
    ...{ message: null, isNew: false, isFlaky: false, failures: 0, ...more },
  });
  const rounds = test('rounds half to even', {
    message: 'AssertionError: expected 1.24, was 1.23\n    at money.test.ts:12',
    isNew: true,
    failures: 1,
  });
  api.tests.set('payments-api #13', [
    rounds,
    test('sends a receipt', { message: 'Timeout', isFlaky: true, failures: 6 }),
    test('adds two amounts', { outcome: 'passed' }),
  ]);
  api.testRuns.set('payments-api rounds half to even', {
    suite: 'Money',
    name: rounds.name,
    runs: Array.from({ length: 13 }, (_, index) => ({
      ...{ job: 'payments-api', number: 13 - index, sha: null },
      outcome: index % 9 === 0 ? ('failed' as const) : ('passed' as const),
      ...{ durationMs: 12, finishedAt: Date.now() - index * MINUTE_MS },
    })),
  });
}

function running(): BuildDetails {
  return build(14, {
    ...{ building: true, result: null, stoppable: true, elapsed: 9_000 },
    ...{ timestamp: Date.now() - 9_000, estimatedDuration: 25_000 },
    steps: [
      step('Compile', { state: 'done' }),
      step('Test', { state: 'running', needs: [0] }),
      step('Deploy', { needs: [1] }),
    ],
  });
}

function fillRunning(api: FakeBuildsApi): void {
  const lines = Array.from({ length: 60 }, (_, index) => `ok ${index + 1}`);
  const log = ['Triggered by dev', '==> Compile', 'done', '==> Test', ...lines];
  api.logs.set('payments-api #14', `${log.join('\n')}\n`);
}

function waiting(): BuildDetails {
  return build(15, {
    ...{ building: true, waiting: true, result: null, stoppable: true },
    steps: [
      step('Test', { state: 'done' }),
      step('Approve', { state: 'waiting', needs: [0] }),
      step('Deploy', { needs: [1] }),
    ],
  });
}

/** A build with 300 steps in a matrix. */
function large(): BuildDetails {
  const matrix = Array.from({ length: 298 }, (_, index) =>
    step(`Test (${index})`, { state: 'done', needs: [0] }),
  );
  return build(16, {
    steps: [
      step('Compile', { state: 'done' }),
      ...matrix,
      step('Publish', {
        state: 'done',
        needs: matrix.map((_, index) => index + 1),
      }),
    ],
  });
}

/** A build with very long names. */
function named(): BuildDetails {
  const long = 'a-step-with-a-name-that-never-seems-to-end-'.repeat(3);
  return build(17, {
    result: 'FAILURE',
    ref: `refs/heads/feature/${long}`,
    reason: `${long} failed: exit code 1`,
    steps: [
      step(long, { state: 'done' }),
      step(`${long} one`, { state: 'failed', needs: [0], message: long }),
      step(`${long} two`, { state: 'done', needs: [0] }),
    ],
  });
}
