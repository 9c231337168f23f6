import { type Static, Type } from 'typebox';
import { DiscardPolicySchema } from '../retention/DiscardPolicy.ts';

/** What names may be as variables of a shell. */
const VARIABLE = '^[A-Za-z_][A-Za-z0-9_]*$';
const Variable = Type.String({
  pattern: VARIABLE,
  patternDescription:
    'must contain only letters, digits and _, and not start with a digit',
  maxLength: 100,
});

const closed = { additionalProperties: false };
const Environment = Type.Record(
  Type.String({ pattern: VARIABLE }),
  Type.String({ maxLength: 32_768 }),
  closed,
);
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 });

/** A value that whoever triggers a build gives; it reaches steps as a variable and nowhere else. */
const JobParameterSchema = Type.Object(
  {
    name: Variable,
    description: Type.Optional(Type.String({ maxLength: 1_000 })),
    type: Type.Optional(
      Type.Unsafe<'string' | 'boolean' | 'choice'>(
        Type.String({ enum: ['string', 'boolean', 'choice'] }),
      ),
    ),
    /** The values of a choice; the first is the default where none is given. */
    choices: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
    ),
    default: Type.Optional(Type.String({ maxLength: 32_768 })),
    required: Type.Optional(Type.Boolean()),
    /** Dotted path into the payload of a webhook, e.g. `repository.name`. */
    payload: Type.Optional(Type.String({ maxLength: 200 })),
  },
  closed,
);
export type JobParameter = Static<typeof JobParameterSchema>;

/** One script of a build. */
const JobStepSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    /** Run by `sh -e` in the work directory. */
    run: Type.String({ minLength: 1 }),
    environment: Type.Optional(Environment),
    /** Variables, each with the name of the secret that it is. */
    secrets: Type.Optional(
      Type.Record(Type.String({ pattern: VARIABLE }), Type.String(), closed),
    ),
    /** Names of the steps that come before; the one before it in the file when left out. */
    needs: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, uniqueItems: true }),
    ),
    /** A condition on the build; the step is left out where it is not met. */
    if: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    /** True where it runs also when a step before it failed. */
    always: Type.Optional(Type.Boolean()),
    /** Variables, each with its values: the step runs once for every combination. */
    matrix: Type.Optional(
      Type.Record(
        Type.String({ pattern: VARIABLE }),
        Type.Array(Type.String({ maxLength: 200 }), {
          minItems: 1,
          maxItems: 100,
        }),
        closed,
      ),
    ),
    /** Combinations of the matrix that are left out. */
    exclude: Type.Optional(
      Type.Array(
        Type.Record(Type.String({ pattern: VARIABLE }), Type.String(), closed),
        { maxItems: 100 },
      ),
    ),
    /** Folder of the checkout to run in. */
    workingDirectory: Type.Optional(
      Type.String({
        pattern: '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$)).+$',
        patternDescription: 'must be a folder within the checkout',
        maxLength: 1_000,
      }),
    ),
    /** Runs it again where it failed. */
    retry: Type.Optional(
      Type.Object(
        {
          /** Beside the first one. */
          times: Type.Integer({ minimum: 1, maximum: 10 }),
          /** Only after these; after any when left out. */
          exitCodes: Type.Optional(
            Type.Array(Type.Integer({ minimum: 1, maximum: 255 }), {
              minItems: 1,
            }),
          ),
        },
        closed,
      ),
    ),
    timeoutSeconds: Type.Optional(Seconds),
    /** A failure makes the build unstable instead of failing it. */
    allowFailure: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type JobStep = Static<typeof JobStepSchema>;

/** What a job file holds. */
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
    /** Set where the steps are in the repository: of each commit its own. */
    pipelines: Type.Optional(
      Type.Object(
        {
          /** The folder of pipeline files, `.slipway` by default. Each is a job file without the keys that only the server may set. */
          folder: Type.Optional(
            Type.String({
              pattern:
                '^(?!\\.\\.)[A-Za-z0-9._-]+(?:/(?!\\.\\.)[A-Za-z0-9._-]+)*$',
              patternDescription: 'must be a folder within the checkout',
              maxLength: 200,
            }),
          ),
          /** Pull requests that have a job of their own: of the repository's own branches when left out. */
          pullRequests: Type.Optional(
            Type.Unsafe<'none' | 'own' | 'all'>(
              Type.String({ enum: ['none', 'own', 'all'] }),
            ),
          ),
        },
        closed,
      ),
    ),
    /** The time that a whole build may take; an hour when left out. */
    timeoutSeconds: Type.Optional(Seconds),
    /** True where builds of the job may run beside each other. */
    concurrent: Type.Optional(Type.Boolean()),
    /** When builds begin by themselves, in UTC: cron with `H`, as Jenkins has it. */
    schedule: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 20,
      }),
    ),
    /** The group of builds, of this and other jobs, that never run at the same time. */
    concurrency: Type.Optional(
      Type.Object(
        {
          /** Builds of one group run one after the other. */
          group: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          /** True where a newer build of the job ends those before it. */
          cancelRunning: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    /** Builds wait that long for others like them, which are then one with them. */
    quietPeriodSeconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 86_400 }),
    ),
    /** Beside what holds for all jobs. */
    discardOldBuilds: Type.Optional(DiscardPolicySchema),
    /** What is checked out before the first step. */
    source: Type.Optional(
      Type.Object(
        {
          /** An address, never a remote helper (`ext::…`), nor an option of git or ssh. */
          repository: Type.String({
            pattern: '^[a-z]+://[^\\s-]\\S*$',
            patternDescription:
              'must be an address, e.g. https://forge.example.org/shop/cart.git',
          }),
          /** Built where nothing says which commit. */
          branch: Type.Optional(Type.String()),
          /** Parameter that names the branch. */
          branchFrom: Type.Optional(Type.String()),
          /** Commits of the history that are fetched; 1 when left out, 0 for all. */
          depth: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 1_000_000 }),
          ),
          /** What opens a private repository over https. */
          credentials: Type.Optional(
            Type.Object(
              {
                /** Most forges look at the token alone. */
                username: Type.Optional(
                  Type.String({ minLength: 1, maxLength: 200 }),
                ),
                /** Name of the secret that is the password or token. */
                secret: Type.String(),
              },
              closed,
            ),
          ),
        },
        closed,
      ),
    ),
    /** Globs of JUnit reports in the work directory. */
    junit: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 20 }),
    ),
    /** Globs of files in the work directory that are kept with the build. */
    artifacts: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 20 }),
    ),
    webhook: Type.Optional(
      Type.Object(
        {
          /** Name of the secret that is the token. */
          token: Type.String(),
          /** Names of the secrets that payloads may be signed with; more than one to change it. */
          signingSecrets: Type.Optional(
            Type.Array(Type.String(), { minItems: 1 }),
          ),
          /** Set where the token alone is enough in production, without a signature. */
          unsigned: Type.Optional(Type.String({ enum: ['allow'] })),
          /** Globs. When left out, branches and tags of a job with a source, and any ref of others. */
          refs: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
          /** Event types of the forge; any but `ping` when left out. */
          events: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
        },
        closed,
      ),
    ),
    /** Name of the secret that `?token=` has to be, where it is sent. */
    buildToken: Type.Optional(Type.String()),
    /** What a build that succeeds has deployed. */
    deployment: Type.Optional(
      Type.Object(
        {
          service: Type.String({ minLength: 1, maxLength: 200 }),
          environment: Type.Optional(Type.String({ minLength: 1 })),
          /** Parameter that names the environment. */
          environmentFrom: Type.Optional(Type.String()),
          /** Parameter that names the version; commit or build number when left out. */
          versionFrom: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type Job = Static<typeof JobSchema> & {
  /** None where they are in the repository. */
  steps: JobStep[];
};

/** A branch or pull request of a repository that has a job of its own. */
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

/** Milliseconds that a build of the job may take. */
export function timeoutMsOf(job: Job): number {
  return (job.timeoutSeconds ?? HOUR_S) * 1_000;
}

/** Names of the secrets that its checkout and its steps are given. */
export function secretsOf({ source, steps }: Job): string[] {
  const names = steps.flatMap(({ secrets = {} }) => Object.values(secrets));
  const ofSource = source?.credentials ? [source.credentials.secret] : [];
  return [...new Set([...ofSource, ...names])].sort();
}
