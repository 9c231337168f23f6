import {
  type Build,
  type BuildStep,
  onlyWaits,
  type StartedBuild,
  type TriggerKind,
} from '../builds/Build.ts';
import { buildUrl } from './urls.ts';

interface Context {
  base: string;
  now: number;
  /** The probable duration of the build in milliseconds; unknown by default. */
  estimatedDuration?: number;
}

/** Presents a build for lists. */
export function summarizeBuild(build: StartedBuild, { base, now }: Context) {
  // A build that resumes is queued for a moment.
  const isRunning = build.state !== 'finished';
  const displayName = build.about?.displayName ?? `#${build.number}`;
  return {
    _class: 'hudson.model.FreeStyleBuild',
    number: build.number,
    url: buildUrl(base, build),
    displayName,
    fullDisplayName: `${build.job} ${displayName}`,
    description: build.about?.description ?? null,
    building: isRunning,
    waiting: isRunning && onlyWaits(build.steps),
    result: build.result,
    timestamp: build.startedAt,
    // 0 while it runs, as in Jenkins.
    duration:
      build.finishedAt === null ? 0 : build.finishedAt - build.startedAt,
    elapsed: (build.finishedAt ?? now) - build.startedAt,
    actions: actionsOf(build),
    cause: build.cause,
    reason: build.reason,
    revision: build.source?.after ?? null,
    keepLog: build.kept !== null,
    kept: build.kept,
    pipelineFaults: build.steps.flatMap(({ name, faults = [] }) =>
      faults.map(fault => ({ file: name, ...fault })),
    ),
  };
}

/** Presents a build for clients of Jenkins, with additional fields for our own pages. */
export function presentBuild(build: StartedBuild, context: Context) {
  const summary = summarizeBuild(build, context);
  const changeSet = changeSetOf(build, summary.timestamp);
  return {
    ...summary,
    id: String(build.number),
    inProgress: summary.building,
    estimatedDuration: context.estimatedDuration ?? -1,
    executor: null,
    queueId: build.id,
    builtOn: build.builtOn ?? '',
    artifacts: build.artifacts.map(artifact => ({
      fileName: artifact.path.split('/').at(-1)!,
      relativePath: artifact.path,
      displayPath: artifact.path,
      size: artifact.size,
    })),
    changeSet,
    changeSets: changeSet.items.length > 0 ? [changeSet] : [],
    culprits: [],
    steps: stepsOf(build),
    tests: build.tests,
    parameters: build.parameters,
    ref: build.source?.ref ?? null,
    rerunOf: build.rerun?.number ?? null,
    author: authorOf(build),
    pullRequest: build.source?.pullRequest ?? null,
    queuedAt: build.queuedAt,
    stoppable: summary.building && build.stopRequestedBy === null,
    stopRequestedBy: build.stopRequestedBy,
  };
}

/** The cause classes of Jenkins. */
const CAUSES: Readonly<Record<TriggerKind, string>> = {
  user: 'hudson.model.Cause$UserIdCause',
  webhook: 'org.jenkinsci.plugins.gwt.GenericCause',
  rebuild: 'org.jenkinsci.plugins.workflow.cps.replay.ReplayCause',
  upstream: 'hudson.model.Cause$UpstreamCause',
  schedule: 'hudson.triggers.TimerTrigger$TimerTriggerCause',
};

/** Returns the actions of a build. Always a list: some clients filter it without checking. */
export function actionsOf(build: Build): object[] {
  const parameters = Object.entries(build.parameters);
  const { tests } = build;
  return [
    {
      _class: 'hudson.model.CauseAction',
      causes: [
        {
          _class: CAUSES[build.kind],
          shortDescription: build.cause,
          userName: build.triggeredBy,
          ...(build.upstream && {
            upstreamProject: build.upstream.job,
            upstreamBuild: build.upstream.number,
          }),
          ...(build.kind === 'user' && { userId: build.triggeredBy }),
        },
      ],
    },
    ...(parameters.length > 0
      ? [
          {
            _class: 'hudson.model.ParametersAction',
            parameters: parameters.map(([name, value]) => ({
              _class: 'hudson.model.StringParameterValue',
              name,
              value,
            })),
          },
        ]
      : []),
    ...(tests
      ? [
          {
            _class: 'hudson.tasks.junit.TestResultAction',
            totalCount: tests.total,
            failCount: tests.failed,
            skipCount: tests.skipped,
            urlName: 'testReport',
          },
        ]
      : []),
  ];
}

/** Returns the author of the built commit, if the event included it. */
function authorOf({ source }: Build): string | null {
  const { commits = [], after } = source ?? {};
  const author = commits.find(({ id }) => id === after)?.author;
  return author || null;
}

function changeSetOf({ source }: Build, timestamp: number) {
  return {
    _class: 'hudson.plugins.git.GitChangeSetList',
    kind: 'git',
    items: (source?.commits ?? []).map(({ id, message, author }) => ({
      _class: 'hudson.plugins.git.GitChangeSet',
      commitId: id,
      id,
      msg: message.split('\n')[0],
      comment: message,
      timestamp,
      author: { fullName: author, absoluteUrl: '' },
      affectedPaths: [],
    })),
  };
}

/** Returns the steps of a build. Older builds have no `needs`: their steps ran one after another. */
function stepsOf({ steps }: Build): Required<Omit<BuildStep, 'faults'>>[] {
  return steps.map(({ faults: _, ...step }, index) => ({
    ...step,
    needs: step.needs ?? (index === 0 ? [] : [index - 1]),
  }));
}
