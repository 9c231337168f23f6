import { type Static, Type } from 'typebox';
import {
  AfterSchema,
  ArtifactsFromSchema,
  CacheSchema,
  DeploymentSchema,
  DiscardPolicySchema,
  Globs,
  Image,
  KEPT_BUILDS,
  LimitsSchema,
  MailSchema,
  ServiceSchema,
  SourceSchema,
  WebhookSchema,
} from './JobParts.ts';
import {
  closed,
  Environment,
  JobParameterSchema,
  type JobStep,
  JobStepSchema,
  Seconds,
} from './JobStep.ts';

/** Pattern of executor labels. */
export const LABEL = '^[a-z0-9][a-z0-9._-]{0,62}$';
export const LABEL_DESCRIPTION =
  'must contain at most 63 lower-case letters, digits and . _ -';

/** The content of a job file. */
export const JobSchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
      patternDescription:
        'must contain at most 100 letters, digits and . _ -, and start with a letter or digit',
    }),
    description: Type.Optional(Type.String({ maxLength: 2_000 })),
    /** Entity reference of the group whose members may trigger it. */
    owner: Type.Optional(
      Type.String({
        pattern: '^group:[^/]+/[^/]+$',
        patternDescription: 'must be a group, e.g. group:default/payments',
      }),
    ),
    parameters: Type.Optional(
      Type.Array(JobParameterSchema, { maxItems: 100 }),
    ),
    environment: Type.Optional(Environment),
    steps: Type.Optional(
      Type.Array(JobStepSchema, { minItems: 1, maxItems: 100 }),
    ),
    /** Set if the steps are in the repository: each commit has its own. */
    pipelines: Type.Optional(
      Type.Object(
        {
          /**
           * The folder of pipeline files, `.slipway` by default. Each is a job file
           * without the keys reserved for the server.
           */
          folder: Type.Optional(
            Type.String({
              pattern:
                '^(?!\\.\\.)[A-Za-z0-9._-]+(?:/(?!\\.\\.)[A-Za-z0-9._-]+)*$',
              patternDescription: 'must be a folder within the checkout',
              maxLength: 200,
            }),
          ),
          /** Pull requests that get their own job; by default those from branches of the same repository. */
          pullRequests: Type.Optional(
            Type.Unsafe<'none' | 'own' | 'all'>(
              Type.String({ enum: ['none', 'own', 'all'] }),
            ),
          ),
        },
        closed,
      ),
    ),
    /** Timeout of a whole build; an hour by default. */
    timeoutSeconds: Type.Optional(Seconds),
    /** Labels required of the executor. */
    runsOn: Type.Optional(
      Type.Array(
        Type.String({
          pattern: LABEL,
          patternDescription: LABEL_DESCRIPTION,
        }),
        { minItems: 1, maxItems: 20, uniqueItems: true },
      ),
    ),
    /** Set to run the commands of builds in containers, from an image with `sh` and, for a source, git. */
    container: Type.Optional(
      Type.Object(
        {
          /** Image including its registry, so that no default registry is used. */
          image: Image,
        },
        closed,
      ),
    ),
    /** Limits of its builds; by default those of the server or agent that runs them. */
    limits: Type.Optional(LimitsSchema),
    /** Number of restarts of a build whose agent was lost; none by default. */
    retryLostAgent: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    /** True to allow several builds of the job at the same time. */
    concurrent: Type.Optional(Type.Boolean()),
    /** Times at which builds start automatically: cron with `H`, as in Jenkins. */
    schedule: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 20,
      }),
    ),
    /** The time zone of the schedule, e.g. `Europe/Berlin`; UTC by default. */
    timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** The group of builds, of this and other jobs, that never run at the same time. */
    concurrency: Type.Optional(
      Type.Object(
        {
          /** Builds of one group run one after another. */
          group: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          /** True to cancel older builds of the job when a newer one is triggered. */
          cancelRunning: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    /** Time that builds wait for identical ones, which are then merged with them. */
    quietPeriodSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400 }),
    ),
    /** Overrides limits of the default retention. */
    discardOldBuilds: Type.Optional(DiscardPolicySchema),
    /** The number of builds that people may keep at a time; that of the server by default. */
    maxKeptBuilds: Type.Optional(Type.Integer(KEPT_BUILDS)),
    /** The repository checked out before the first step. */
    source: Type.Optional(SourceSchema),
    /** Folders cached for later builds. */
    cache: Type.Optional(
      Type.Array(CacheSchema, { minItems: 1, maxItems: 20 }),
    ),
    /** Programs that run alongside the steps. */
    services: Type.Optional(
      Type.Array(ServiceSchema, { minItems: 1, maxItems: 10 }),
    ),
    /** Artifacts of other jobs to put into the checkout. */
    artifactsFrom: Type.Optional(
      Type.Array(ArtifactsFromSchema, { minItems: 1, maxItems: 20 }),
    ),
    /** Jobs whose builds trigger builds of this one. */
    after: Type.Optional(
      Type.Array(AfterSchema, { minItems: 1, maxItems: 20 }),
    ),
    /** Chats of the server to notify when the job breaks or is fixed. */
    notify: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 10,
      }),
    ),
    /** The receivers of mail when the job breaks or is fixed; needs `buildServer.mail`. */
    mail: Type.Optional(MailSchema),
    /** True to show its badge to everyone, without a credential. */
    publicBadge: Type.Optional(Type.Boolean()),
    /** Globs of JUnit reports in the work directory. */
    junit: Type.Optional(Globs),
    /** Globs of files in the work directory to store with the build. */
    artifacts: Type.Optional(Globs),
    webhook: Type.Optional(WebhookSchema),
    /** Name of the secret that `?token=` must match, if it is sent. */
    buildToken: Type.Optional(Type.String()),
    /** Deployment that a successful build makes. */
    deployment: Type.Optional(DeploymentSchema),
  },
  closed,
);
export type Job = Static<typeof JobSchema> & {
  /** Empty if they are in the repository. */
  steps: JobStep[];
};

/** A branch or pull request with its own job. */
export interface BranchJob {
  /** `<job>/<branch>` or `<job>/PR-<number>`. */
  name: string;
  /** The job of the file. */
  parent: string;
  ref: string;
  /** Number of the pull request; null for a branch. */
  pullRequest: number | null;
}

const HOUR_S = 3_600;

/** Returns the timeout of the job's builds, in milliseconds. */
export function timeoutMsOf(job: Job): number {
  return (job.timeoutSeconds ?? HOUR_S) * 1_000;
}

/** Returns the names of the secrets used by its checkout and its steps. */
export function secretsOf({ source, steps }: Job): string[] {
  const names = steps.flatMap(({ secrets = {} }) => Object.values(secrets));
  const ofSource = source?.credentials ? [source.credentials.secret] : [];
  return [...new Set([...ofSource, ...names])].sort();
}

/** Returns the refs that may be the main branch of a job's repository. */
export function mainRefsOf({ source }: Pick<Job, 'source'>): string[] {
  const names = source?.branch ? [source.branch] : ['main', 'master'];
  return names.map(refOfBranch);
}

/** Returns the ref of a branch, which may be given as its name or as the ref. */
export function refOfBranch(branch: string): string {
  return branch.startsWith('refs/') ? branch : `refs/heads/${branch}`;
}

/** The label of executors that run the commands of a job in its image. */
const CONTAINERS = 'containers';

/** Returns the labels required to run a job. */
export function neededLabels({ runsOn = [], container }: Job): string[] {
  return [...runsOn, ...(container ? [CONTAINERS] : [])];
}

/**
 * Returns the labels of an executor: the configured ones, and those of its capabilities, which
 * cannot be configured.
 */
export function offeredLabels(
  configured: readonly string[],
  { runsImages }: { runsImages: boolean },
): Set<string> {
  return new Set([
    ...configured.filter(label => label !== CONTAINERS),
    ...(runsImages ? [CONTAINERS] : []),
  ]);
}

/** Checks whether an executor with these labels may run a job. */
export function mayRun(job: Job, labels: ReadonlySet<string>): boolean {
  return neededLabels(job).every(label => labels.has(label));
}
