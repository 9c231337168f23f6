import type { StartedBuild } from '../builds/Build.ts';
import { type BranchJob, type Job, secretsOf } from '../jobs/Job.ts';
import type { JobParameter } from '../jobs/JobStep.ts';
import type { JobFault } from '../jobs/readJobFile.ts';
import { pipelineFolderOf } from '../jobs/readPipelines.ts';
import { splitCredentials } from '../jobs/repository.ts';
import { schedulesOf } from '../jobs/Schedule.ts';
import type { DiscardPolicy } from '../jobs/JobParts.ts';
import type { SkippedPush } from '../storage/SkipStore.ts';
import type { Permalinks } from './BuildLookup.ts';
import { presentBuild, summarizeBuild } from './presentBuild.ts';
import { jobUrl } from './urls.ts';

interface Context {
  base: string;
  now: number;
  /** True to show builds in full. */
  isDeep: boolean;
}

/** The state of a job, in addition to its file. */
export interface JobState {
  /** Started builds, newest first. */
  builds: readonly StartedBuild[];
  inQueue: boolean;
  /** Its last push that was not built. */
  skipped: SkippedPush | undefined;
  /** True if the caller may trigger the job. */
  triggerable: boolean;
  /** Name of the file that defines it; null if it has no file. */
  file: string | null;
  /** The branch or pull request of the job. */
  branch?: BranchJob;
  /** The faults of the file, which disable the job. */
  faults: readonly JobFault[];
  /** The person who disabled it. */
  disabledBy?: string;
}

/** Presents a job for the list of all jobs. */
export function summarizeJob(job: Job, state: JobState, context: Context) {
  const [last] = state.builds;
  const isBuildable =
    state.faults.length === 0 && state.disabledBy === undefined;
  return {
    _class: 'hudson.model.FreeStyleProject',
    name: job.name,
    fullName: job.name,
    displayName: job.name,
    fullDisplayName: job.name,
    url: jobUrl(context.base, job.name),
    description: job.description ?? null,
    buildable: isBuildable,
    disabled: !isBuildable,
    disabledBy: state.disabledBy ?? null,
    color: isBuildable ? colorOf(state.builds) : 'disabled',
    file: state.file,
    parent: state.branch?.parent ?? null,
    pullRequest: state.branch?.pullRequest ?? null,
    pullRequestTitle: last?.source?.pullRequest?.title ?? null,
    faults: [...state.faults],
    inQueue: state.inQueue,
    skipped: skippedSince(last, state),
    lastBuild: last ? presenterOf(context)(last) : null,
    recentBuilds: state.builds
      .slice(0, 10)
      .map(build => summarizeBuild(build, context)),
    actions: [],
    owner: job.owner ?? null,
    triggerable: state.triggerable,
    parameterDefinitions: (job.parameters ?? []).map(presentParameter),
  };
}

/** Returns the last skipped push, unless a newer one was built. */
function skippedSince(last: StartedBuild | undefined, { skipped }: JobState) {
  if (!skipped || (last && last.queuedAt >= skipped.at)) {
    return null;
  }
  const { commit, title, ref, at } = skipped;
  return { commit, title, ref, at };
}

/** Presents a job for clients of Jenkins. It has no `jobs`: with that field, it would be a folder. */
export function presentJob(
  job: Job,
  state: JobState & {
    permalinks: Permalinks;
    /** The job of the repository's main branch, if it has pipelines. */
    mainBranch: string | null;
    /** All builds, if requested. */
    allBuilds?: readonly StartedBuild[];
    /** Builds that people keep, newest first. */
    keptBuilds: readonly StartedBuild[];
    /** The number of builds that people keep. */
    keptCount: number;
    /** The number of builds that people may keep. */
    maxKeptBuilds: number;
    firstBuild: StartedBuild | null;
    nextBuildNumber: number;
    discardOldBuilds: DiscardPolicy;
    /** True if the caller may disable and enable the job. */
    manageable: boolean;
  },
  context: Context,
) {
  const { builds, permalinks, firstBuild } = state;
  const present = presenterOf(context);
  const presentLink = (build: StartedBuild | null) => build && present(build);
  return {
    ...summarizeJob(job, state, context),
    nextBuildNumber: state.nextBuildNumber,
    manageable: state.manageable,
    queueItem: null,
    builds: builds.map(present),
    ...(state.allBuilds && { allBuilds: state.allBuilds.map(present) }),
    keptBuilds: state.keptBuilds.map(present),
    keptCount: state.keptCount,
    maxKeptBuilds: state.maxKeptBuilds,
    firstBuild: presentLink(firstBuild),
    ...Object.fromEntries(
      Object.entries(permalinks).map(([name, build]) => [
        name,
        presentLink(build),
      ]),
    ),
    healthReport: [],
    concurrentBuild: job.concurrent ?? false,
    steps: job.steps.map(({ name }) => name),
    repository: job.source
      ? splitCredentials(job.source.repository).repository
      : null,
    discardOldBuilds: state.discardOldBuilds,
    secrets: secretsOf(job),
    webhook: webhookOf(job, context.base),
    schedule: job.schedule ?? [],
    timeZone: job.timeZone ?? 'UTC',
    nextRunAt: nextRunOf(job, context.now),
    pipelineFolder: job.pipelines ? pipelineFolderOf(job) : null,
    mainBranch: state.mainBranch,
    property: job.parameters
      ? [
          {
            _class: 'hudson.model.ParametersDefinitionProperty',
            parameterDefinitions: job.parameters.map(presentParameter),
          },
        ]
      : [],
  };
}

/**
 * Returns the address for forge events of the job, and the names of the required secrets;
 * never their values.
 */
function webhookOf({ webhook }: Job, base: string) {
  return webhook
    ? {
        url: `${base}/generic-webhook-trigger/invoke`,
        token: webhook.token,
        signingSecrets: webhook.signingSecrets ?? [],
      }
    : null;
}

/** Returns when its schedules next trigger it, in milliseconds since the Unix epoch. */
function nextRunOf(job: Job, now: number): number | null {
  const times = schedulesOf(job)
    .map(schedule => schedule.nextDue(now))
    .filter(time => time !== undefined);
  return times.length > 0 ? Math.min(...times) : null;
}

function presenterOf(context: Context) {
  const present = context.isDeep ? presentBuild : summarizeBuild;
  return (build: StartedBuild) => present(build, context);
}

const CLASSES = {
  string: 'StringParameterDefinition',
  text: 'TextParameterDefinition',
  // Jenkins has no number parameters.
  number: 'StringParameterDefinition',
  boolean: 'BooleanParameterDefinition',
  choice: 'ChoiceParameterDefinition',
} as const;

export function presentParameter(parameter: JobParameter) {
  const { name, description, type = 'string', choices } = parameter;
  const value = parameter.default ?? choices?.[0];
  return {
    _class: `hudson.model.${CLASSES[type]}`,
    name,
    type: CLASSES[type],
    description: description ?? '',
    required: parameter.required ?? false,
    ...(choices && { choices }),
    ...(type === 'number' && {
      minimum: parameter.minimum ?? null,
      maximum: parameter.maximum ?? null,
    }),
    kind: type,
    defaultParameterValue: value === undefined ? null : { name, value },
  };
}

const COLORS = {
  SUCCESS: 'blue',
  UNSTABLE: 'yellow',
  FAILURE: 'red',
  ABORTED: 'aborted',
} as const;

/** Returns Jenkins' colour: that of the last result, animated while another build runs. */
function colorOf(builds: readonly StartedBuild[]): string {
  const result = builds.find(build => build.result !== null)?.result;
  const color = result ? COLORS[result] : 'notbuilt';
  const isBuilding = builds.length > 0 && builds[0].state !== 'finished';
  return isBuilding ? `${color}_anime` : color;
}
