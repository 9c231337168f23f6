import type { StartedBuild } from '../builds/Build.ts';
import {
  type BranchJob,
  type Job,
  type JobParameter,
  secretsOf,
} from '../jobs/Job.ts';
import type { JobFault } from '../jobs/readJobFile.ts';
import { splitCredentials } from '../jobs/repository.ts';
import type { DiscardPolicy } from '../retention/DiscardPolicy.ts';
import type { Permalinks } from './BuildLookup.ts';
import { presentBuild, summarizeBuild } from './presentBuild.ts';
import { jobUrl } from './urls.ts';

interface Context {
  base: string;
  now: number;
  /** True where builds are shown in full. */
  isDeep: boolean;
}

/** What is known of a job beside its file. */
export interface JobState {
  /** Started builds, newest first. */
  builds: readonly StartedBuild[];
  inQueue: boolean;
  /** True where the caller may trigger the job. */
  triggerable: boolean;
  /** Name of the file that describes it; null where it has none of its own. */
  file: string | null;
  /** The branch or pull request that it is the job of. */
  branch?: BranchJob;
  /** What is wrong with the file: the job is disabled by it. */
  faults: readonly JobFault[];
}

/** A job in the list of all. */
export function summarizeJob(job: Job, state: JobState, context: Context) {
  const [last] = state.builds;
  return {
    _class: 'hudson.model.FreeStyleProject',
    name: job.name,
    fullName: job.name,
    displayName: job.name,
    fullDisplayName: job.name,
    url: jobUrl(context.base, job.name),
    description: job.description ?? null,
    buildable: state.faults.length === 0,
    color: state.faults.length === 0 ? colorOf(state.builds) : 'disabled',
    file: state.file,
    parent: state.branch?.parent ?? null,
    pullRequest: state.branch?.pullRequest ?? null,
    faults: [...state.faults],
    inQueue: state.inQueue,
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

/** A job as Jenkins' clients read it. It has no `jobs`: that would make it a folder. */
export function presentJob(
  job: Job,
  state: JobState & {
    permalinks: Permalinks;
    /** All builds, where they were asked for. */
    allBuilds?: readonly StartedBuild[];
    firstBuild: StartedBuild | null;
    nextBuildNumber: number;
    discardOldBuilds: DiscardPolicy;
  },
  context: Context,
) {
  const { builds, permalinks, firstBuild } = state;
  const present = presenterOf(context);
  const presentLink = (build: StartedBuild | null) => build && present(build);
  return {
    ...summarizeJob(job, state, context),
    nextBuildNumber: state.nextBuildNumber,
    queueItem: null,
    builds: builds.map(present),
    ...(state.allBuilds && { allBuilds: state.allBuilds.map(present) }),
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

function presenterOf(context: Context) {
  const present = context.isDeep ? presentBuild : summarizeBuild;
  return (build: StartedBuild) => present(build, context);
}

const CLASSES = {
  string: 'StringParameterDefinition',
  boolean: 'BooleanParameterDefinition',
  choice: 'ChoiceParameterDefinition',
} as const;

function presentParameter(parameter: JobParameter) {
  const { name, description, type = 'string', choices } = parameter;
  const value = parameter.default ?? choices?.[0];
  return {
    _class: `hudson.model.${CLASSES[type]}`,
    name,
    type: CLASSES[type],
    description: description ?? '',
    required: parameter.required ?? false,
    ...(choices && { choices }),
    defaultParameterValue: value === undefined ? null : { name, value },
  };
}

const COLORS = {
  SUCCESS: 'blue',
  UNSTABLE: 'yellow',
  FAILURE: 'red',
  ABORTED: 'aborted',
} as const;

/** Jenkins' colour: of the last result, and whether another build runs. */
function colorOf(builds: readonly StartedBuild[]): string {
  const result = builds.find(build => build.result !== null)?.result;
  const color = result ? COLORS[result] : 'notbuilt';
  return builds[0]?.state === 'running' ? `${color}_anime` : color;
}
