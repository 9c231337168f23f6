import fc from 'fast-check';
import { RawDeployment } from '../RawEvent';
import {
  CommitPlan,
  committedAt,
  HISTORY_MINUTES,
  REPOSITORIES,
  shaOf,
} from './commitHistories';

/** Two services of a monorepo, one with two repositories, and one without an owner. */
export const SERVICES = ['shop', 'cart', 'search', 'orphan'];
/** The usual repository of each service. */
const HOMES: Record<string, string> = {
  shop: 'acme/shop',
  cart: 'acme/mono',
  search: 'acme/mono',
  orphan: 'none',
};
const UNHEARD_OF = 200;
const MINUTE_MS = 60_000;

/** A planned deployment. Minutes count from the beginning of the history. */
export interface DeploymentPlan {
  service: string;
  /** A repository other than the service's usual one; `none`: not reported. */
  strayRepository?: string;
  environment: string;
  status: string;
  finished: number;
  took: number;
  /**
   * Index of its commit among the planned ones of its repository; an index past the end is an
   * unknown commit.
   */
  commit?: number;
  tellsCommitTime: boolean;
  lists?: number[];
  rollback?: 'previous' | 'named' | 'unknown';
  unplanned?: boolean;
  told:
    | 'once'
    | 'started-finished'
    | 'corrected'
    | 'moved-service'
    | 'older-later'
    | 'deleted';
}

const commitIndex = fc.nat(15);

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary },
  );
}

export const deploymentPlan: fc.Arbitrary<DeploymentPlan> = fc.record({
  service: fc.constantFrom('shop', ...SERVICES),
  strayRepository: seldom(fc.constantFrom(...REPOSITORIES, 'none')),
  environment: fc.constantFrom('prod', 'prod', 'prod', 'prod', 'staging'),
  status: fc.constantFrom(
    ...Array<string>(8).fill('SUCCESS'),
    'ROLLED_BACK',
    'FAILURE',
    'CANCELLED',
  ),
  finished: fc.integer({ min: 100, max: HISTORY_MINUTES }),
  took: fc.integer({ min: 0, max: 90 }),
  commit: fc.option(commitIndex, { nil: undefined, freq: 9 }),
  tellsCommitTime: fc.boolean(),
  lists: seldom(fc.array(commitIndex, { maxLength: 5 })),
  rollback: seldom(
    fc.constantFrom('previous' as const, 'named' as const, 'unknown' as const),
  ),
  unplanned: seldom(fc.boolean()),
  told: fc.constantFrom(
    'once' as const,
    'once' as const,
    'started-finished' as const,
    'corrected' as const,
    'moved-service' as const,
    'older-later' as const,
    'deleted' as const,
  ),
});

/** Returns the key with which a planned deployment is reported. */
export function deploymentKey(index: number) {
  return {
    source: index % 3 === 0 ? 'jenkins' : 'ci',
    id: `d-${index}`,
  };
}

/**
 * Returns when a deployment finishes, in milliseconds since the Unix epoch. No two finish at the
 * same time, so that their order is unambiguous.
 */
export function finishOf(origin: number, plan: DeploymentPlan, index: number) {
  return origin + plan.finished * MINUTE_MS + index * 1_000;
}

function earlierOfSameService(plans: DeploymentPlan[], index: number) {
  const { service, finished } = plans[index];
  return plans.findIndex(
    (other, at) =>
      at !== index &&
      at % 3 === index % 3 &&
      other.service === service &&
      // A corrected deployment may finish later than planned, possibly after its
      // rollback.
      other.told !== 'corrected' &&
      other.finished < finished,
  );
}

function rollbackOf(
  plans: DeploymentPlan[],
  index: number,
): RawDeployment['rollbackOf'] {
  const earlier = earlierOfSameService(plans, index);
  switch (plans[index].rollback) {
    case 'previous':
      return true;
    case 'named':
      return earlier < 0 ? undefined : deploymentKey(earlier).id;
    case 'unknown':
      return 'unheard-of';
    default:
      return undefined;
  }
}

function repositoryOf({ service, strayRepository }: DeploymentPlan) {
  const repository = strayRepository ?? HOMES[service];
  return repository === 'none' ? undefined : repository;
}

/** Returns the indexes of a repository's commits in the plan. */
function placesIn(
  repository: string | undefined,
  commits: CommitPlan[],
): number[] {
  return commits.flatMap((commit, place) =>
    repository === undefined || commit.repository === repository ? place : [],
  );
}

function whole(
  origin: number,
  plans: DeploymentPlan[],
  index: number,
  commits: CommitPlan[],
): RawDeployment {
  const plan = plans[index];
  const finished = finishOf(origin, plan, index);
  const repository = repositoryOf(plan);
  const places = [...placesIn(repository, commits), UNHEARD_OF];
  const placeOf = (choice: number) => places[choice % places.length];
  const place = plan.commit === undefined ? undefined : placeOf(plan.commit);
  const commit = place === undefined ? undefined : commits[place];
  return {
    kind: 'deployment',
    ...deploymentKey(index),
    occurredAt: new Date(finished).toISOString(),
    service: plan.service,
    environment: plan.environment,
    status: plan.status,
    startedAt: new Date(
      finished - plan.took * MINUTE_MS - 30_000,
    ).toISOString(),
    finishedAt: new Date(finished).toISOString(),
    repository,
    commit:
      place === undefined
        ? undefined
        : {
            sha: shaOf(place),
            // A tombstone deletes a deployment, but not the change that it reported.
            committedAt:
              plan.tellsCommitTime &&
              plan.told !== 'deleted' &&
              commit &&
              // The README does not define whether a later event restores a deleted change.
              commit.told !== 'deleted'
                ? committedAt(origin, commit)
                : undefined,
          },
    changes: plan.lists?.map(choice => shaOf(placeOf(choice))),
    rollbackOf: rollbackOf(plans, index),
    unplanned: plan.unplanned,
  };
}

function shifted(time: string | undefined, minutes: number): string {
  return new Date(Date.parse(time ?? '') + minutes * MINUTE_MS).toISOString();
}

function told(event: RawDeployment, plan: DeploymentPlan): RawDeployment[] {
  const { kind, source, id, service } = event;
  const later = shifted(event.occurredAt, 600);
  const key = { kind, source, id, service, occurredAt: later };
  switch (plan.told) {
    case 'started-finished':
      return [
        {
          ...event,
          occurredAt: event.startedAt ?? event.occurredAt,
          status: 'IN_PROGRESS',
          finishedAt: undefined,
        },
        event,
      ];
    case 'corrected':
      return [
        event,
        { ...key, status: 'FAILURE' },
        {
          ...key,
          occurredAt: shifted(later, 60),
          status: 'SUCCESS',
          finishedAt: shifted(event.finishedAt, 47),
        },
      ];
    case 'moved-service':
      return [event, { ...key, service: 'search' }];
    case 'older-later':
      return [
        {
          ...event,
          occurredAt: shifted(event.occurredAt, -600),
          service: 'cart',
          environment: 'prod',
          status: 'ROLLED_BACK',
          startedAt: shifted(event.startedAt, -2_000),
          finishedAt: shifted(event.finishedAt, -1_000),
        },
        event,
      ];
    case 'deleted':
      return [event, { ...key, deleted: true }];
    default:
      return [event];
  }
}

/** Returns the events that pipelines send about the planned deployments. */
export function deploymentEvents(
  origin: number,
  plans: DeploymentPlan[],
  commits: CommitPlan[],
): RawDeployment[] {
  return plans.flatMap((plan, index) =>
    told(whole(origin, plans, index, commits), plan),
  );
}
