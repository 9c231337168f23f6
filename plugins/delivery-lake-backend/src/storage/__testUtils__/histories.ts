import fc from 'fast-check';
import {
  ChangeInput,
  DeploymentInput,
  IncidentInput,
  TestLake,
} from './TestLake';

/** An event of a generated history. */
export type HistoryEvent =
  | { kind: 'deployment'; input: DeploymentInput }
  | { kind: 'change'; input: ChangeInput }
  | { kind: 'incident'; input: IncidentInput }
  | { kind: 'forget-deployment' | 'forget-incident'; key: string }
  | { kind: 'forget-change'; repository: number; sha: string };

/** Events, and the services that are derived after them. */
export interface Batch {
  events: HistoryEvent[];
  drain: 'all' | 'none' | number[];
}

const HOUR_MS = 3_600_000;
// Shortly before the night on which the clocks change in Berlin.
const START = Date.UTC(2026, 2, 25);

const service = fc.integer({ min: 1, max: 3 });
const repository = fc.integer({ min: 1, max: 2 });
// Few distinct moments over ten days, so that many coincide.
const moment = fc
  .integer({ min: 0, max: 60 })
  .map(step => START + step * 4 * HOUR_MS);
const sha = fc.integer({ min: 1, max: 12 }).map(number => `c${number}`);
const deploymentKey = fc.integer({ min: 1, max: 12 }).map(n => `d${n}`);
const incidentKey = fc.integer({ min: 1, max: 6 }).map(n => `i${n}`);

function sometimes<T>(value: fc.Arbitrary<T>, freq = 3) {
  return fc.option(value, { nil: undefined, freq });
}

const deployment: fc.Arbitrary<DeploymentInput> = fc
  .record({
    key: deploymentKey,
    service,
    finishedAt: moment,
    hours: fc.constantFrom(0, 1, 4, 60),
    environment: fc.constantFrom('prod', 'prod', 'prod', 'prod', 'staging'),
    status: fc.constantFrom(
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'SUCCESS',
      'ROLLED_BACK',
      'FAILURE',
    ),
    repository,
    sha: sometimes(sha, 8),
    changes: sometimes(fc.array(sha, { maxLength: 3 }), 1),
    rollbackOf: sometimes(fc.oneof(fc.constant(''), deploymentKey), 1),
    unplanned: fc.constantFrom(false, false, false, true),
  })
  .map(({ hours, ...input }) => ({
    ...input,
    startedAt: input.finishedAt - hours * HOUR_MS,
  }));

const change: fc.Arbitrary<ChangeInput> = fc
  .record({
    repository,
    sha,
    landedAt: moment,
    hours: fc.constantFrom(0, 2, 50, -30, null),
  })
  .map(({ hours, ...input }) => ({
    ...input,
    committedAt: hours === null ? null : input.landedAt - hours * HOUR_MS,
  }));

const incident: fc.Arbitrary<IncidentInput> = fc
  .record({
    key: incidentKey,
    service: fc.oneof(
      { weight: 9, arbitrary: service },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    startedAt: moment,
    hours: fc.constantFrom(0, 3, 4, 30, 100, null),
    environment: fc.constantFrom('prod', 'prod', 'prod', 'dev'),
    deployment: sometimes(deploymentKey, 1),
    deploymentId: sometimes(
      deploymentKey.map(key => `deploy-${key}`),
      1,
    ),
    sha: sometimes(sha, 1),
  })
  .map(({ hours, ...input }) => ({
    ...input,
    resolvedAt: hours === null ? null : input.startedAt + hours * HOUR_MS,
  }));

const event: fc.Arbitrary<HistoryEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: deployment.map(
      input => ({ kind: 'deployment', input }) as const,
    ),
  },
  {
    weight: 6,
    arbitrary: change.map(input => ({ kind: 'change', input }) as const),
  },
  {
    weight: 5,
    arbitrary: incident.map(input => ({ kind: 'incident', input }) as const),
  },
  {
    weight: 1,
    arbitrary: deploymentKey.map(
      key => ({ kind: 'forget-deployment', key }) as const,
    ),
  },
  {
    weight: 1,
    arbitrary: incidentKey.map(
      key => ({ kind: 'forget-incident', key }) as const,
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('forget-change' as const),
      repository,
      sha,
    }),
  },
);

/**
 * Generates events in any order, with corrections and repetitions, interleaved with derivations.
 */
export function aHistory(): fc.Arbitrary<Batch[]> {
  return fc.array(
    fc.record({
      events: fc.array(event, { minLength: 1, maxLength: 8 }),
      drain: fc.oneof(
        fc.constant('all' as const),
        fc.constant('none' as const),
        fc.uniqueArray(service, { minLength: 1, maxLength: 2 }),
      ),
    }),
    { minLength: 1, maxLength: 10 },
  );
}

/** Applies an event to the lake. */
export async function apply(
  lake: TestLake,
  happened: HistoryEvent,
): Promise<void> {
  switch (happened.kind) {
    case 'deployment':
      return lake.putDeployment(happened.input);
    case 'change':
      return lake.putChange(happened.input);
    case 'incident':
      return lake.putIncident(happened.input);
    case 'forget-deployment':
      return lake.deleteDeployment(happened.key);
    case 'forget-incident':
      return lake.deleteIncident(happened.key);
    default:
      return lake.deleteChange(happened.repository, happened.sha);
  }
}
