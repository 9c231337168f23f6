import { DORA_METRICS } from '@slipway/plugin-delivery-lake-common';
import { describeMetrics, LAKE } from './__testUtils__/describeMetrics';

describeMetrics('GET /breakdown and /improvements', start => {
  it.each([
    ['team', ['payments', 'search', 'group:emea/search']],
    ['project', ['shop', 'till']],
    ['service', LAKE.map(({ name }) => name)],
  ])(
    'breaks down by %s into what can be asked for alone',
    async (by, names) => {
      const { get } = await start(LAKE);
      const { body } = await get(`/breakdown?by=${by}`);

      expect(
        body.items.map(({ name }: { name: string }) => name).sort(),
      ).toEqual([...names].sort());
      expect(body).toMatchObject({ by, truncated: false });
      const deployments = body.items.map(
        (item: { metrics: { deploymentFrequency: { samples: number } } }) =>
          item.metrics.deploymentFrequency.samples,
      );
      expect(deployments).toEqual([...deployments].sort((a, b) => b - a));
      for (const { name, metrics } of body.items) {
        const alone = await get(
          `/dora-metrics?${by}=${encodeURIComponent(name)}`,
        );
        const answered = { ...alone.body.metrics, ...alone.body.beyond };
        for (const metric of DORA_METRICS) {
          const { previous: _previous, ...shown } = answered[metric];
          expect(metrics[metric]).toEqual(shown);
        }
      }
    },
  );

  it('truncates a breakdown and reports that', async () => {
    const { get } = await start(LAKE);
    const { body } = await get('/breakdown?by=service&limit=2&team=payments');
    expect(body.items).toHaveLength(2);
    expect(body.truncated).toBe(false);
    expect(body.items[0].title).toMatch(/^Title of component:default/);
    const all = await get('/breakdown?by=service&limit=4');
    expect(all.body.truncated).toBe(true);
  });

  it('finds the largest possible improvements among teams, or the services of one', async () => {
    const { get } = await start(LAKE);
    const { body } = await get('/improvements');
    expect(body.items.length).toBeGreaterThan(0);
    expect(body.items.length).toBeLessThanOrEqual(5);
    for (const item of body.items) {
      expect(item.scope.by).toBe('team');
      const { body: alone } = await get(
        `/dora-metrics?team=${encodeURIComponent(item.scope.name)}`,
      );
      const answered = { ...alone.metrics, ...alone.beyond };
      expect(answered[item.metric]).toMatchObject({
        value: item.value,
        performance: item.performance,
      });
    }
    const team = await get('/improvements?team=payments');
    for (const item of team.body.items) {
      expect(item.scope.by).toBe('service');
      expect(['service-0', 'service-1']).toContain(item.scope.name);
    }
  });
});
