import { createOrganisation } from '../organisation/organisation';
import { tellDeliveries } from './deliveries';
import { tellStory } from './Story';
import { DAY_MS, storyTimeAt } from './time';

const NOW = Date.UTC(2026, 10, 23, 9, 30);

function tell(seed = 'slipway') {
  const organisation = createOrganisation();
  const time = storyTimeAt(NOW);
  return {
    organisation,
    time,
    histories: tellDeliveries(organisation, { seed, time }),
  };
}

it('has 12 teams, 60 people and 80 services with unique names', () => {
  const { teams, people, services } = createOrganisation();
  expect(teams).toHaveLength(12);
  expect(new Set(people.map(({ name }) => name)).size).toBe(60);
  expect(new Set(services.map(({ name }) => name)).size).toBe(80);
});

it('is the same for the same seed and day, and another for another seed', () => {
  expect(tell().histories).toEqual(tell().histories);
  expect(tell('other').histories).not.toEqual(tell().histories);
});

it('contains only past events', () => {
  const { histories, time } = tell();
  for (const { builds, deployments, incidents, commits } of histories) {
    const moments = [
      ...builds.flatMap(build => [build.startedAt, build.finishedAt]),
      ...incidents.flatMap(({ startedAt, resolvedAt }) => [
        startedAt,
        resolvedAt ?? 0,
      ]),
      ...commits.flatMap(({ committedAt, landedAt }) => [
        committedAt,
        landedAt,
      ]),
    ];
    expect(Math.max(...moments)).toBeLessThan(time.end);
    expect(deployments.length).toBeGreaterThan(0);
  }
});

it('is of the size of a company', () => {
  const { histories } = tell();
  const count = (of: 'builds' | 'deployments' | 'incidents' | 'commits') =>
    histories.reduce((sum, history) => sum + history[of].length, 0);
  expect(count('deployments')).toBeGreaterThan(2_000);
  expect(count('builds')).toBeGreaterThan(count('deployments'));
  expect(count('commits')).toBeGreaterThan(count('builds'));
  expect(count('incidents')).toBeGreaterThan(100);
});

it('deploys by each build that gets that far, and in the order of builds', () => {
  for (const { builds, deployments } of tell().histories) {
    const deploying = builds.filter(({ isDeployed }) => isDeployed);
    expect(deployments.map(({ build }) => build)).toEqual(deploying);
    const starts = builds.map(({ startedAt }) => startedAt);
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
  }
});

/** Figures of a team in a span of days before today. */
function figuresOf(name: string, { from, to }: { from: number; to: number }) {
  const { histories, time } = tell();
  const isWithin = (moment: number) =>
    moment >= time.end - from * DAY_MS && moment < time.end - to * DAY_MS;
  const own = histories.filter(({ service }) => service.team.name === name);
  const deployments = own.flatMap(history =>
    history.deployments.filter(({ build }) => isWithin(build.finishedAt)),
  );
  const failed = new Set(
    own.flatMap(({ incidents }) =>
      incidents.map(incident => incident.deployment),
    ),
  );
  const failures = deployments.filter(({ id }) => failed.has(id)).length;
  return {
    deployments: deployments.length,
    failureRate: failures / deployments.length,
  };
}

it('contains a team that improves and one that struggles', () => {
  const before = { from: 180, to: 150 };
  const today = { from: 30, to: 0 };
  const better = [figuresOf('billing', before), figuresOf('billing', today)];
  expect(better[1].deployments).toBeGreaterThan(2 * better[0].deployments);
  expect(better[1].failureRate).toBeLessThan(better[0].failureRate / 2);

  const worse = [
    figuresOf('fulfilment', before),
    figuresOf('fulfilment', today),
  ];
  expect(worse[1].deployments).toBeLessThan(worse[0].deployments * 0.75);
  expect(worse[1].failureRate).toBeGreaterThan(2 * worse[0].failureRate);
});

it('has an incident that is open and a build that fails, to begin with', () => {
  const { histories, scenes } = tellStory({ now: NOW });
  const of = (name: string) =>
    histories.find(({ service }) => service.name === name)!;
  const open = histories.flatMap(({ incidents }) =>
    incidents.filter(({ resolvedAt }) => resolvedAt === null),
  );
  expect(open.map(({ title }) => title)).toEqual([
    'Split payments are charged twice',
    'Pick lists are empty',
  ]);
  const broken = of('checkout-api').deployments.at(-1)!;
  expect(broken.build.failure).toMatchObject({ step: 'Deploy' });
  const { deployments } = tellStory({
    now: NOW,
    showcase: { devfileUrl: 'https://git.example.org/d.yaml', commit: 'abc' },
  }).histories.find(({ service }) => service.name === 'checkout-api')!;
  expect(deployments.at(-1)!.head.sha).toBe('abc');
  for (const name of ['checkout-api', 'warehouse-api']) {
    expect(of(name).builds.at(-1)?.failure).toBeDefined();
  }
  const saved = of('checkout-api').incidents.find(
    ({ startedAt }) => startedAt >= scenes.saved,
  );
  expect(saved!.resolvedAt! - saved!.startedAt).toBeLessThan(15 * 60_000);
});
