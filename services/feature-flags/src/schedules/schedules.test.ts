import { testDatabaseClients } from '@slipway/service-kit/testing';
import { portalSuite } from '../__testUtils__/portalSuite.ts';
import { CLIENT_TOKEN } from '../__testUtils__/startFeatureFlags.ts';

const DEVELOPMENT =
  '/projects/default/features/checkout/environments/development';
const SCHEDULES = `${DEVELOPMENT}/schedules`;

interface State {
  enabled: boolean;
  strategies: { name: string; parameters: { rollout?: string } }[];
}

describe.each(testDatabaseClients())('schedules on %s', client => {
  const suite = portalSuite(client, {
    // The fake portal also acts as the build server.
    config: url => ({ builds: { url, user: 'flags', key: 'key-of-flags' } }),
  });

  const state = async () => (await suite.ada('GET', DEVELOPMENT)).body as State;
  const share = async () =>
    (await state()).strategies.at(0)?.parameters.rollout;
  const read = async (id: number) => {
    const { body } = await suite.bob('GET', '/schedules');
    return body.schedules.find((each: { id: number }) => each.id === id);
  };
  /** 5, 25 and 100%, ten minutes apart, from now on. */
  const stages = () => [
    { at: suite.timeIn(0), enabled: true, percentage: 5 },
    { at: suite.timeIn(10), percentage: 25 },
    { at: suite.timeIn(20), percentage: 100 },
  ];
  const start = async (body: object) => {
    const started = await suite.ada('POST', SCHEDULES, body);
    expect(started.status).toBe(201);
    return started.body.id as number;
  };
  const impact = (samples: object[], type = 'counter') =>
    suite.calls.send('POST', '/api/client/metrics', {
      token: CLIENT_TOKEN,
      payload: {
        appName: 'shop',
        impactMetrics: [
          { name: 'checkout-errors', help: 'Errors', type, samples },
        ],
      },
    });

  beforeEach(async () => {
    await suite.calls.create('checkout');
  });

  it('turns a flag on and off at its times, also across a restart', async () => {
    const id = await start({
      steps: [
        { at: suite.timeIn(10), enabled: true },
        { at: suite.timeIn(20), enabled: false },
      ],
    });
    expect((await state()).enabled).toBe(false);
    await suite.restart();
    suite.pass(11);
    await vi.waitUntil(async () => (await state()).enabled);
    expect(await read(id)).toMatchObject({ nextStep: 1, state: 'active' });
    suite.pass(10);
    await vi.waitUntil(async () => !(await state()).enabled);
    await vi.waitUntil(async () => (await read(id)).state === 'done');
    const { body } = await suite.ada('GET', '/events?featureName=checkout');
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'schedule-done',
      'feature-updated',
      'feature-updated',
      'schedule-created',
      'feature-created',
    ]);
  });

  it('rolls out in stages by the strategy that applied to everyone', async () => {
    await start({ steps: stages() });
    await vi.waitUntil(async () => (await share()) === '5');
    expect(await state()).toMatchObject({
      enabled: true,
      strategies: [{ name: 'flexibleRollout' }],
    });
    suite.pass(11);
    await vi.waitUntil(async () => (await share()) === '25');
    suite.pass(10);
    await vi.waitUntil(async () => (await share()) === '100');
    expect((await state()).strategies).toHaveLength(1);
  });

  it('pauses when an impact metric exceeds its limit, and resumes later', async () => {
    const id = await start({
      steps: stages(),
      limits: [
        {
          kind: 'metric',
          metric: 'checkout_errors',
          aggregation: 'count',
          operator: '>',
          threshold: 10,
          minutes: 30,
        },
      ],
    });
    await vi.waitUntil(async () => (await share()) === '5');
    expect((await impact([{ value: 4, labels: { app: 'shop' } }])).status).toBe(
      202,
    );
    await impact([{ value: 7 }]);
    await vi.waitUntil(async () => (await read(id)).state === 'paused');
    expect(await read(id)).toMatchObject({
      reason: 'checkout_errors: count 11 > 10',
      nextStep: 1,
    });
    suite.pass(15);
    expect(await share()).toBe('5');
    const resumed = await suite.ada('POST', `/schedules/${id}/resume`);
    expect(resumed.body).toMatchObject({ state: 'active', reason: null });
    // The step was postponed by the pause.
    suite.pass(8);
    expect(await share()).toBe('5');
    suite.pass(4);
    await vi.waitUntil(async () => (await share()) === '25');
    const metrics = await suite.bob('GET', '/impact-metrics');
    expect(metrics.body).toEqual({
      metrics: [{ name: 'checkout_errors', type: 'counter' }],
      watchesBuilds: true,
    });
  });

  it.each([
    ['limits', [{ kind: 'deployments', service: 'shop', failures: 1 }]],
    ['no limits', []],
  ])(
    'keeps the intervals between stages after an outage, with %s',
    async (_what, limits) => {
      suite.portal.others.set('/api/delivery-lake/deployment-history', {
        deployments: [],
      });
      const id = await start({ steps: stages(), limits });
      await vi.waitUntil(async () => (await share()) === '5');
      suite.pass(40);
      await vi.waitUntil(async () => (await share()) === '25');
      const { nextStep, steps } = await read(id);
      expect(nextStep).toBe(2);
      expect(Date.parse(steps[2].at)).toBeGreaterThan(
        Date.parse(suite.timeIn(9)),
      );
      suite.pass(11);
      await vi.waitUntil(async () => (await share()) === '100');
    },
  );

  it('turns the flag off when deployments fail, if so configured', async () => {
    const lake = '/api/delivery-lake/deployment-history';
    suite.portal.others.set(lake, { deployments: [] });
    const id = await start({
      steps: stages(),
      limits: [{ kind: 'deployments', service: 'shop', failures: 1 }],
      whenCrossed: 'off',
    });
    await vi.waitUntil(async () => (await share()) === '5');
    const deployed = (status: string, minutes: number) => ({
      status,
      startTime: suite.timeIn(minutes),
    });
    suite.portal.others.set(lake, {
      deployments: [deployed('SUCCESS', 1), deployed('FAILURE', -60)],
    });
    suite.pass(11);
    await vi.waitUntil(async () => (await share()) === '25');
    suite.portal.others.set(lake, { deployments: [deployed('FAILURE', 1)] });
    await vi.waitUntil(async () => (await read(id)).state === 'paused');
    expect(await read(id)).toMatchObject({
      reason: 'shop: 1 failed deployment',
    });
    expect((await state()).enabled).toBe(false);
    expect(suite.portal.requests.join()).toContain(
      `${lake}?service=shop&environment=dev`,
    );
    expect(suite.portal.requests.join()).not.toContain('environment=prod');
  });

  it("pauses when builds of the component's jobs fail", async () => {
    const job = '/job/shop%20main/api/json';
    const builds = (...results: [result: string | null, minutes: number][]) =>
      suite.portal.others.set(job, {
        builds: results.map(([result, minutes]) => ({
          result,
          timestamp: Date.parse(suite.timeIn(minutes)) - 30_000,
          duration: 30_000,
        })),
      });
    suite.portal.others.set('/job/web/api/json', { builds: [] });
    suite.portal.entities = [
      {
        kind: 'Component',
        metadata: {
          name: 'shop',
          annotations: { 'slipway.dev/build-job': 'shop main, web' },
        },
      },
    ];
    const limits = [{ kind: 'builds', service: 'shop', failures: 2 }];
    const unknown = await suite.ada('POST', SCHEDULES, {
      steps: stages(),
      limits,
    });
    expect([unknown.status, unknown.body.message]).toEqual([
      400,
      'limits.0.service: the build server has no job shop main',
    ]);

    builds(['FAILURE', -60], ['FAILURE', -50]);
    const id = await start({ steps: stages(), limits });
    await vi.waitUntil(async () => (await share()) === '5');
    builds(['FAILURE', 1], ['UNSTABLE', 2], [null, 3], ['SUCCESS', 4]);
    suite.pass(11);
    await vi.waitUntil(async () => (await share()) === '25');
    builds(['FAILURE', 1], ['FAILURE', 2]);
    await vi.waitUntil(async () => (await read(id)).state === 'paused');
    expect(await read(id)).toMatchObject({ reason: 'shop: 2 failed builds' });
    expect((await state()).enabled).toBe(true);
    expect(await share()).toBe('25');
  });

  it('pauses before a step whose limits cannot be checked for long', async () => {
    suite.portal.others.set('/job/shop/api/json', { builds: [] });
    const id = await start({
      steps: stages(),
      limits: [{ kind: 'builds', service: 'shop', failures: 1 }],
      whenCrossed: 'off',
    });
    await vi.waitUntil(async () => (await share()) === '5');
    suite.portal.others.clear();
    suite.pass(26);
    await vi.waitUntil(async () => (await read(id)).state === 'paused');
    expect(await read(id)).toMatchObject({
      reason: "Couldn't check the limits: the build server has no job shop",
      nextStep: 1,
    });
    expect(await share()).toBe('5');
    // No limit was crossed.
    expect((await state()).enabled).toBe(true);
  });

  it('pauses when someone turned the flag off, and fails when its strategy is gone', async () => {
    const id = await start({ steps: stages() });
    await vi.waitUntil(async () => (await share()) === '5');
    await suite.ada('POST', `${DEVELOPMENT}/off`);
    suite.pass(11);
    await vi.waitUntil(async () => (await read(id)).state === 'paused');
    expect(await read(id)).toMatchObject({ reason: 'The flag was turned off' });
    await suite.ada('PATCH', DEVELOPMENT, {
      enabled: true,
      strategies: [{ id: 'other', name: 'default' }],
    });
    await suite.ada('POST', `/schedules/${id}/resume`);
    suite.pass(30);
    await vi.waitUntil(async () => (await read(id)).state === 'failed');
    expect(await read(id)).toMatchObject({
      reason: 'The strategy that was rolled out is gone',
    });
  });

  it('waits for approval in a protected environment', async () => {
    await suite.ada('PUT', '/environments/production', { protected: true });
    const path = '/projects/default/features/checkout/environments/production';
    const asked = await suite.ada('POST', `${path}/schedules`, {
      steps: stages(),
    });
    expect(asked.status).toBe(202);
    const { id, change } = asked.body.changeRequest;
    expect(change.schedule.steps).toHaveLength(3);
    await suite.grace('PUT', `/change-requests/${id}/state`, {
      state: 'Approved',
    });
    await suite.grace('PUT', `/change-requests/${id}/state`, {
      state: 'Applied',
    });
    const production = async () => (await suite.ada('GET', path)).body as State;
    await vi.waitUntil(async () => (await production()).enabled);
    suite.pass(11);
    await vi.waitUntil(
      async () =>
        (await production()).strategies[0].parameters.rollout === '25',
    );
  });

  it('allows one at a time, can be cancelled, and says what is invalid', async () => {
    const id = await start({ steps: stages() });
    const second = await suite.ada('POST', SCHEDULES, { steps: stages() });
    expect(second.status).toBe(409);
    expect((await suite.bob('POST', `/schedules/${id}/cancel`)).status).toBe(
      403,
    );
    expect((await suite.ada('POST', `/schedules/${id}/resume`)).status).toBe(
      409,
    );
    expect((await suite.ada('POST', `/schedules/${id}/pause`)).body.state).toBe(
      'paused',
    );
    expect(
      (await suite.ada('POST', `/schedules/${id}/cancel`)).body.state,
    ).toBe('cancelled');
    expect((await suite.ada('POST', `/schedules/${id}/cancel`)).status).toBe(
      409,
    );
    expect((await suite.ada('POST', '/schedules/99/cancel')).status).toBe(404);
    const [first, next] = stages();
    for (const [steps, message] of [
      [[], /steps/],
      [[{ at: suite.timeIn(1) }], /enabled or percentage/],
      [[next, first], /after the step before/],
      [[{ at: suite.timeIn(-60), enabled: true }], /over/],
      [[{ ...first, percentage: 101 }], /percentage/],
      [[{ ...first, color: 'red' }], /color/],
    ] as const) {
      const refused = await suite.ada('POST', SCHEDULES, { steps });
      expect(refused.status).toBe(400);
      expect(refused.body.message).toMatch(message);
    }
    await suite.ada('POST', `${DEVELOPMENT}/strategies`, {
      name: 'flexibleRollout',
      parameters: { rollout: '1' },
    });
    const unclear = await suite.ada('POST', SCHEDULES, { steps: stages() });
    expect(unclear.body.message).toMatch(/strategyId must name one/);
    const [, strategy] = (await suite.ada('GET', `${DEVELOPMENT}/strategies`))
      .body;
    await start({ steps: stages(), strategyId: strategy.id });
  });
});
