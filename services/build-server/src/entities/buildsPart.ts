import {
  componentNaming,
  type EntityScope,
  type EntitySummary,
  type Fact,
  figure,
  isoOf,
  labelOf,
  namesIn,
  type Need,
  type TimelineItem,
  type TimelineQuery,
  type Tone,
} from '@slipway/entity-contract';
import type { Caller, EntityPart } from '@slipway/service-kit';
import { type Build, type BuildResult, pageOf } from '../builds/Build.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Gate } from '../storage/GateStore.ts';
import type { JobFigures, JobHistory } from '../storage/JobHistory.ts';

/** The annotation that lists the jobs of a component, separated by commas. */
const ANNOTATION = 'slipway.dev/build-job';

const DAY_MS = 86_400_000;
const PERIOD_MS = 30 * DAY_MS;
/**
 * Time for which a job counts as a user's own after the user triggers a build of it.
 */
const OWN_MS = 14 * DAY_MS;
const MAX_OWN_JOBS = 500;

const WORDS: Readonly<Record<BuildResult, { state: string; tone?: Tone }>> = {
  SUCCESS: { state: 'Succeeded', tone: 'good' },
  UNSTABLE: { state: 'Unstable', tone: 'warning' },
  FAILURE: { state: 'Failed', tone: 'bad' },
  ABORTED: { state: 'Aborted' },
};

/** An approval that a build waits for. */
interface Decision {
  gate: Pick<Gate, 'step' | 'approval' | 'openedAt'>;
  build: Build;
}

/** Presents the builds of an entity: those of the jobs named by its components. */
export function buildsPart(options: {
  history: JobHistory;
  jobs: Pick<JobCatalog, 'mainBranchOf' | 'findOfBuild'>;
  /** Lists the pending approvals that a user may decide. */
  toDecide: (user: Caller) => Promise<readonly Decision[]>;
  now: () => number;
}): EntityPart {
  const { history, jobs: catalog, toDecide, now } = options;

  /**
   * Returns the jobs named by the components; for a user, also the jobs of the user's builds. A job
   * with pipelines is represented by its main branch, because failures elsewhere are work in
   * progress.
   */
  async function jobsOf(scope: EntityScope): Promise<string[]> {
    const named = namesIn(scope, ANNOTATION).map(jobNamed);
    const own =
      scope.kind === 'user'
        ? await history.jobsTriggeredBy(scope.ref, {
            since: now() - OWN_MS,
            limit: MAX_OWN_JOBS,
          })
        : [];
    return [...new Set([...named, ...own])];
  }

  function jobNamed(name: string): string {
    return catalog.mainBranchOf(name)?.name ?? name;
  }

  function componentOf(scope: EntityScope, job: string): string | undefined {
    return componentNaming(scope, ANNOTATION, name => jobNamed(name) === job);
  }

  /**
   * Returns the component that a job builds, or the owner of the job if there is none or more than
   * one.
   */
  function entityOf(scope: EntityScope, { job }: Build): string | undefined {
    const owner = catalog.findOfBuild(job)?.owner;
    return componentOf(scope, job) ?? owner?.toLocaleLowerCase('en-US');
  }

  return {
    async summary(scope, caller): Promise<EntitySummary> {
      const jobs = await jobsOf(scope);
      const decisions =
        scope.kind === 'user'
          ? (await toDecide(caller)).map(decision =>
              decisionOf(decision, entityOf(scope, decision.build)),
            )
          : [];
      if (jobs.length === 0) {
        return {
          state: 'unconnected',
          message: `Name the job that builds it in the annotation ${ANNOTATION}.`,
          page: '/builds',
          facts: [],
          needs: decisions,
        };
      }
      const to = now();
      const from = to - PERIOD_MS;
      const [newest, current, previous] = await Promise.all([
        history.newestOf(jobs),
        history.figures(jobs, { from, to }),
        history.figures(jobs, { from: from - PERIOD_MS, to: from }),
      ]);
      const failing = newest.filter(({ result }) => isBad(result));
      return {
        state: stateOf(newest),
        page: jobs.length === 1 ? pageOf({ job: jobs[0] }) : '/builds',
        facts: [
          ...lastBuild(newest),
          ...(jobs.length > 1
            ? [
                {
                  id: 'failing',
                  label: 'Failing jobs',
                  kind: 'count' as const,
                  value: failing.length,
                  ...(failing.length > 0 && { tone: 'bad' as const }),
                },
              ]
            : []),
          ...figures(current, previous),
        ],
        needs: [
          ...decisions,
          ...failing.map(build => needOf(build, entityOf(scope, build))),
        ],
      };
    },

    async timeline(scope, query): Promise<TimelineItem[]> {
      const jobs = await jobsOf(scope);
      const builds =
        jobs.length === 0
          ? []
          : await history.startedIn(jobs, {
              ...query,
              limit: query.limit + 1,
            });
      return builds.flatMap(build => {
        const entityRef = componentOf(scope, build.job);
        return itemsOf(build, query).map(item => ({
          ...item,
          ...(entityRef && { entityRef }),
        }));
      });
    },
  };
}

function stateOf(newest: readonly Build[]): EntitySummary['state'] {
  const results = newest.map(({ result }) => result);
  if (results.includes('FAILURE')) {
    return 'bad';
  }
  if (results.includes('UNSTABLE')) {
    return 'warning';
  }
  return results.includes('SUCCESS') ? 'good' : 'quiet';
}

function isBad(result: BuildResult | null): boolean {
  return result === 'FAILURE' || result === 'UNSTABLE';
}

function lastBuild(newest: readonly Build[]): Fact[] {
  const [last] = [...newest].sort(
    (one, other) => (other.finishedAt ?? 0) - (one.finishedAt ?? 0),
  );
  if (!last) {
    return [{ id: 'last', label: 'Last build', kind: 'text', value: null }];
  }
  const { state, tone } = wordsOf(last);
  const several = newest.length > 1;
  return [
    {
      id: 'last',
      label: 'Last build',
      kind: 'text',
      value: `${several ? `${last.job} ` : ''}#${last.number} ${state.toLowerCase()}`,
      ...(last.finishedAt !== null && { at: isoOf(last.finishedAt) }),
      ...(last.triggeredBy !== null && { by: last.triggeredBy }),
      page: pageOf(last),
      ...(tone && { tone }),
    },
  ];
}

function figures(current: JobFigures, previous: JobFigures): Fact[] {
  const hasPrevious = previous.judged > 0;
  return [
    figure({
      id: 'builds',
      label: 'Builds (30 d)',
      kind: 'count',
      value: current.judged,
      ...(hasPrevious && { previous: previous.judged }),
      better: 'neither',
    }),
    figure({
      id: 'success-rate',
      label: 'Success rate (30 d)',
      kind: 'percent',
      value: shareOf(current),
      ...(hasPrevious && { previous: shareOf(previous) }),
      better: 'higher',
    }),
    figure({
      id: 'duration',
      label: 'Average duration (30 d)',
      kind: 'duration',
      value: current.averageSeconds,
      ...(hasPrevious && { previous: previous.averageSeconds }),
      better: 'lower',
    }),
  ];
}

function shareOf({ judged, succeeded }: JobFigures): number | undefined {
  return judged === 0 ? undefined : Math.round((succeeded / judged) * 100);
}

function needOf(build: Build, entityRef: string | undefined): Need {
  const step = build.steps.find(({ state }) => state === 'failed');
  const isFailed = build.result === 'FAILURE';
  const detail = build.reason ?? (step && `Step ${step.name} failed`);
  return {
    key: `build:${build.job}#${build.number}`,
    kind: 'build-failed',
    title: `${build.job} #${build.number} ${isFailed ? 'failed' : 'is unstable'}`,
    ...(detail && { detail }),
    at: isoOf(build.finishedAt ?? build.queuedAt),
    tone: isFailed ? 'bad' : 'warning',
    page: pageOf(build),
    action: 'View build',
    ...(entityRef && { entityRef }),
  };
}

function decisionOf(
  { gate, build }: Decision,
  entityRef: string | undefined,
): Need {
  const { step, approval, openedAt } = gate;
  return {
    key: `approval:${build.job}#${build.number}:${step}`,
    kind: 'approval-pending',
    title: `${build.job} #${build.number} needs your approval`,
    detail: approval.message ?? step,
    at: isoOf(openedAt),
    tone: 'warning',
    page: pageOf(build),
    action: 'Review',
    ...(entityRef && { entityRef }),
  };
}

/**
 * Returns the timeline items of a build: the build itself, and the commits that it was the first to
 * build.
 */
function itemsOf(build: Build, { from, to }: TimelineQuery): TimelineItem[] {
  const { source, startedAt } = build;
  const { state, tone } = wordsOf(build);
  const title = `${build.job} #${build.number}`;
  const page = pageOf(build);
  const commit = source?.after;
  const own: TimelineItem = {
    id: `build:${title}`,
    kind: 'build',
    at: isoOf(startedAt ?? build.queuedAt),
    title,
    state,
    ...(tone && { tone }),
    ...(build.triggeredBy !== null && { by: build.triggeredBy }),
    page,
    ...(commit !== undefined && { commit }),
    neighbours: [],
  };
  const isWithin = build.queuedAt >= from && build.queuedAt < to;
  return [
    own,
    ...(isWithin ? (source?.commits ?? []) : []).map(
      ({ id, message, author }): TimelineItem => ({
        id: `commit:${id}`,
        kind: 'commit',
        at: isoOf(build.queuedAt),
        title: labelOf(message) || id.slice(0, 8),
        by: author,
        page,
        commit: id,
        neighbours: [{ kind: 'build', title, page }],
      }),
    ),
  ];
}

function wordsOf({ result }: Build): { state: string; tone?: Tone } {
  return result === null ? { state: 'Running' } : WORDS[result];
}
