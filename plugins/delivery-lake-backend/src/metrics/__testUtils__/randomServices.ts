import { Period } from '../../days/period';
import { RecordedDeployment, RecordedService } from './records';

/** Creates a generator of numbers in [0, 1) that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const HOUR = 3_600_000;

/**
 * Creates a lake with three teams in two projects, and one unclaimed service, active throughout a
 * period.
 */
export function randomServices(
  during: Period,
  options: { seed: number; deploymentsEach: number },
): RecordedService[] {
  const random = seeded(options.seed);
  const moment = () =>
    Math.floor(during.start + random() * (during.end - during.start));
  // Spread over orders of magnitude, so that many histogram buckets are used.
  const length = () => Math.floor(60_000 * 10 ** (random() * 4));
  const pick = <T>(...values: T[]) =>
    values[Math.floor(random() * values.length)];
  const deployment = (): RecordedDeployment => {
    const finishedAt = moment();
    const failure = pick(
      undefined,
      undefined,
      undefined,
      'guess',
      'incident',
      'rollback',
    ) as RecordedDeployment['failure'];
    const duration = length();
    return {
      finishedAt,
      failure,
      rework: pick(
        undefined,
        undefined,
        'declared',
        'guess',
      ) as RecordedDeployment['rework'],
      leadTimes: Array.from({ length: Math.floor(random() * 4) }, () =>
        random() < 0.1 ? null : length(),
      ),
      recovery:
        failure && random() < 0.8
          ? { endedAt: finishedAt + duration, duration }
          : undefined,
    };
  };
  const owners = [
    { team: 'group:default/payments', project: 'system:default/shop' },
    { team: 'group:default/payments', project: 'system:default/till' },
    { team: 'group:default/search', project: 'system:default/shop' },
    { team: 'group:emea/search', project: undefined },
    {},
  ];
  return owners.map((owner, index) => ({
    name: `service-${index}`,
    entityRef: owner.team && `component:default/service-${index}`,
    ...owner,
    deployments: Array.from({ length: options.deploymentsEach }, deployment),
    outages: Array.from({ length: options.deploymentsEach / 4 }, () => {
      const duration = pick(HOUR, length());
      return { endedAt: moment(), duration };
    }),
  }));
}
