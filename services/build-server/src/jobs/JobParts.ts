import { type Static, Type } from 'typebox';
import { closed, Environment } from './JobStep.ts';

/** Pattern of the names of a job's parts. */
const Name = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$',
  patternDescription:
    'must contain at most 60 letters, digits and . _ -, and start with a letter or digit',
});

const Folder = Type.String({
  pattern: '^(?![-/])(?!(?:.*/)?\\.\\.(?:/|$)).+$',
  patternDescription: 'must be within the checkout',
  maxLength: 1_000,
});

/** Globs of files, checked by `globFaults`. */
export const Globs = Type.Array(
  Type.String({ minLength: 1, maxLength: 1_000 }),
  { minItems: 1, maxItems: 20 },
);

/** Address of a mail: no display name, comment, quote or list, so that headers cannot be added. */
export const MAIL_ADDRESS =
  "^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){0,8}$";

/** Receivers of mails of a job. */
export const MailSchema = Type.Object(
  {
    to: Type.Optional(
      Type.Array(
        Type.String({
          pattern: MAIL_ADDRESS,
          patternDescription: 'must be an address, e.g. team@example.org',
          maxLength: 254,
        }),
        { maxItems: 20 },
      ),
    ),
    /** True for the authors of the commits, in the domains that the server allows. */
    authors: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** Limits of the builds of a job, which replace those of the server or agent that runs them. */
export const LimitsSchema = Type.Object(
  {
    /** Processes and threads; not in a cluster, whose nodes limit them. */
    processes: Type.Optional(Type.Integer({ minimum: 16 })),
    /** Mebibytes of memory. */
    memoryMiB: Type.Optional(Type.Integer({ minimum: 16 })),
    /** Mebibytes of the checkout, the home folder and temporary files together. */
    diskMiB: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  closed,
);
export type JobLimits = Static<typeof LimitsSchema>;

/** An image with its registry. */
export const Image = Type.String({
  pattern:
    '^[a-z0-9][a-z0-9.-]*(?::[0-9]+)?/[a-z0-9._/-]+(?::[A-Za-z0-9_.-]+)?(?:@sha256:[0-9a-f]{64})?$',
  patternDescription:
    'must be an image with its registry, e.g. docker.io/library/node:24',
  maxLength: 400,
});

/** Folders cached for later builds. */
export const CacheSchema = Type.Object(
  {
    name: Name,
    /** Globs of files; the cache is reused while they are unchanged. */
    files: Type.Optional(Globs),
    /** Files and folders of the checkout, or of the home folder with `~/`. */
    paths: Type.Array(Folder, { minItems: 1, maxItems: 20 }),
  },
  closed,
);
export type JobCache = Static<typeof CacheSchema>;

/** A program that runs alongside the steps, such as a database. */
export const ServiceSchema = Type.Object(
  {
    name: Name,
    /** Run by `sh -e` alongside the steps; in a container, its image's own program by default. */
    run: Type.Optional(Type.String({ minLength: 1 })),
    /** Runs it in its own container, which steps reach as localhost; for jobs with a container. */
    image: Type.Optional(Image),
    environment: Type.Optional(Environment),
    /** Script that succeeds once it is ready; steps start after that. */
    ready: Type.Optional(Type.String({ minLength: 1 })),
    /** Timeout for it to become ready, in seconds; 60 by default. */
    readySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_600 })),
  },
  closed,
);
export type JobService = Static<typeof ServiceSchema>;

/** Name of a job, or of one of its branches. */
const JobName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}(?:/.{1,250})?$',
  patternDescription: 'must be the name of a job',
});

/** Artifacts of another job to put into the checkout. */
export const ArtifactsFromSchema = Type.Object(
  {
    /** The job: its build that triggered this one, otherwise its last successful one. */
    job: JobName,
    /** Globs; all by default. */
    files: Type.Optional(Globs),
    /** Target folder in the checkout. */
    to: Type.Optional(Folder),
  },
  closed,
);
export type ArtifactsFrom = Static<typeof ArtifactsFromSchema>;

/** A job whose builds trigger builds of this one. */
export const AfterSchema = Type.Object(
  {
    job: JobName,
    /** Results that trigger; SUCCESS by default. */
    results: Type.Optional(
      Type.Array(
        Type.Unsafe<'SUCCESS' | 'UNSTABLE' | 'FAILURE'>(
          Type.String({ enum: ['SUCCESS', 'UNSTABLE', 'FAILURE'] }),
        ),
        { minItems: 1, uniqueItems: true },
      ),
    ),
  },
  closed,
);

/** The repository that builds check out. */
export const SourceSchema = Type.Object(
  {
    /** An address, never a remote helper (`ext::…`), nor an option of git or ssh. */
    repository: Type.String({
      pattern: '^[a-z]+://[^\\s-]\\S*$',
      patternDescription:
        'must be an address, e.g. https://forge.example.org/shop/cart.git',
    }),
    /** The branch to build if the trigger names no commit. */
    branch: Type.Optional(Type.String()),
    /** Parameter with the name of the branch. */
    branchFrom: Type.Optional(Type.String()),
    /** Number of commits of history to fetch; 1 by default, 0 for all. */
    depth: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    /** Submodules to check out; none by default. */
    submodules: Type.Optional(
      Type.Unsafe<'direct' | 'recursive'>(
        Type.String({ enum: ['direct', 'recursive'] }),
      ),
    ),
    /** True to fetch the files stored in Git LFS. */
    lfs: Type.Optional(Type.Boolean()),
    /** Folders to check out; all by default. */
    sparse: Type.Optional(Type.Array(Folder, { minItems: 1, maxItems: 100 })),
    /** Credentials of a private repository: a token over https, a key over ssh. */
    credentials: Type.Optional(
      Type.Object(
        {
          /** Most forges check only the token. */
          username: Type.Optional(
            Type.String({ minLength: 1, maxLength: 200 }),
          ),
          /** Name of the secret with the password, token or private key. */
          secret: Type.String(),
          /** `known_hosts` lines that the host of a repository over ssh must match. */
          knownHosts: Type.Optional(
            Type.String({ minLength: 1, maxLength: 20_000 }),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
);

/** Webhooks that trigger builds. */
export const WebhookSchema = Type.Object(
  {
    /** Name of the secret with the token. */
    token: Type.String(),
    /** Names of the secrets that may sign payloads; several during rotation. */
    signingSecrets: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
    /** Set to accept the token without a signature in production. */
    unsigned: Type.Optional(Type.String({ enum: ['allow'] })),
    /** Globs. By default, branches and tags for a job with a source, and any ref for others. */
    refs: Type.Optional(
      Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 1 }),
    ),
    /** Event types of the forge; by default all except `ping`. */
    events: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  },
  closed,
);

/** The deployment that a build makes. */
export const DeploymentSchema = Type.Object(
  {
    service: Type.String({ minLength: 1, maxLength: 200 }),
    environment: Type.Optional(Type.String({ minLength: 1 })),
    /**
     * Step that deploys: the deployment succeeds or fails with it, and builds that skip it deploy
     * nothing. The whole build by default.
     */
    step: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Parameter with the name of the environment. */
    environmentFrom: Type.Optional(Type.String()),
    /** Parameter with the version. */
    versionFrom: Type.Optional(Type.String()),
    /** The version if no parameter has it; `{number}` becomes the number of the build. */
    version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  closed,
);

/** The builds of a job to keep: those within both limits, or all without a limit. */
export const DiscardPolicySchema = Type.Object(
  {
    /** The number of newest builds to keep. */
    keepBuilds: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    /** The days to keep builds after their end. */
    keepDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  },
  { additionalProperties: false },
);
export type DiscardPolicy = Static<typeof DiscardPolicySchema>;

/** The bounds of the number of builds of a job that people may keep. */
export const KEPT_BUILDS = { minimum: 1, maximum: 5_000 };

/** Returns the policy of a job: each limit is the job's own, or the default. */
export function discardPolicyOf(
  job: { discardOldBuilds?: DiscardPolicy },
  common: DiscardPolicy,
): DiscardPolicy {
  return { ...common, ...job.discardOldBuilds };
}
