import {
  type CommonConfig,
  CredentialConfig,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { DiscardPolicySchema } from './retention/DiscardPolicy.ts';

/** What a user with an API token may do; `trigger` includes `read`. */
const UserConfig = Type.Object({
  ...CredentialConfig.properties,
  scopes: Type.Array(Type.String({ enum: ['read', 'trigger'] }), {
    default: ['read'],
  }),
});

function section<P extends Parameters<typeof Type.Object>[0]>(properties: P) {
  return Type.Object(properties, { default: {}, additionalProperties: false });
}

/** A forge that is told how builds of its commits went. */
const ForgeConfig = Type.Object(
  {
    kind: Type.Unsafe<'github' | 'gitlab' | 'gitea' | 'forgejo'>(
      Type.String({ enum: ['github', 'gitlab', 'gitea', 'forgejo'] }),
    ),
    /** What addresses of its repositories begin with, e.g. `https://github.com`. */
    url: Type.String({ pattern: '^https?://.*[^/]$' }),
    /** Address of its API; derived from `url` when left out. */
    apiUrl: Type.Optional(Type.String({ pattern: '^https?://.*[^/]$' })),
    /** May write statuses of commits, and nothing else. */
    token: Type.String({ minLength: 8 }),
  },
  { additionalProperties: false },
);
export type ForgeOptions = Static<typeof ForgeConfig>;

/** What the section `buildServer` holds beside the keys that all services have. */
export const buildServerConfig = Type.Object({
  auth: section({
    apiKeys: Type.Array(CredentialConfig, { default: [] }),
    /** User names and API tokens for HTTP Basic. */
    users: Type.Array(UserConfig, { default: [] }),
    /** Groups of the portal whose members may trigger and stop every job. */
    triggerGroups: Type.Array(Type.String(), { default: [] }),
  }),
  /** The limits of all services, by default for wrong credentials alone: builds are throttled in front, if at all. */
  rateLimit: section({
    enabled: Type.Boolean({ default: false }),
    perMinute: Type.Integer({ minimum: 1, default: 6_000 }),
    anonymousPerMinute: Type.Integer({ minimum: 1, default: 600 }),
    store: Type.String({ enum: ['memory', 'redis'], default: 'memory' }),
    redis: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  }),
  /** The address that clients reach the server at, without a trailing slash; the one that they asked when left out. */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://.*[^/]$' })),
  /** One YAML file for each job, read again when it changes; relative to the repository. */
  jobsDirectory: Type.String({ default: 'services/build-server/jobs' }),
  /** Seconds between two looks at the job files. */
  jobsReloadSeconds: Type.Number({ minimum: 0.1, maximum: 3_600, default: 5 }),
  /** Days for which builds are kept whose job is gone. */
  keepRemovedJobsDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
  }),
  /** Logs and work directories; relative to the repository. Replicas share it. */
  dataDirectory: Type.String({ default: '.data/build-server' }),
  /** What job files name instead of holding it: webhook tokens, signing secrets. */
  secrets: Type.Unsafe<Record<string, string> | null>({
    // Null takes back what another file of the configuration gives.
    type: ['object', 'null'],
    additionalProperties: { type: 'string', minLength: 8 },
    default: {},
  }),
  /** What steps may be given as variables, by name; masked in logs. */
  stepSecrets: Type.Record(
    Type.String(),
    Type.Object(
      {
        value: Type.String({ minLength: 8 }),
        /** Names of the jobs that may use it. */
        jobs: Type.Array(Type.String(), { minItems: 1 }),
      },
      { additionalProperties: false },
    ),
    { default: {} },
  ),
  /** The builds that are kept of a job that says nothing else. */
  discardOldBuilds: section(DiscardPolicySchema.properties),
  /** Builds that one process runs at a time; 0 for one that only answers. */
  executors: Type.Integer({ minimum: 0, maximum: 64, default: 2 }),
  /** Seconds without a sign of life after which a build of another process is given up. */
  leaseSeconds: Type.Integer({ minimum: 3, default: 15 }),
  /** Seconds from SIGTERM to SIGKILL when a build is ended. */
  killAfterSeconds: Type.Number({ minimum: 0, default: 5 }),
  /** How the programs of builds are kept apart from the server. */
  isolation: section({
    /**
     * `auto`: by bubblewrap where that holds; production does not start where it does
     * not, development goes on without. `required`: nothing starts without.
     * `unsafe-none`: steps read the files, the memory and the tokens of the server.
     */
    mode: Type.Unsafe<'auto' | 'required' | 'unsafe-none'>(
      Type.String({
        enum: ['auto', 'required', 'unsafe-none'],
        default: 'auto',
      }),
    ),
    /** Folders and files that builds may read beside the system's. */
    readable: Type.Array(Type.String({ pattern: '^/' }), { default: [] }),
    /** First of the 65,536 user numbers of builds, where the server is root. */
    firstUid: Type.Integer({
      minimum: 1_000,
      maximum: 4_294_000_000,
      default: 2_000_100_000,
    }),
  }),
  /** PATH of builds. Nothing else of the server's environment reaches them. */
  path: Type.String({ default: '/usr/local/bin:/usr/bin:/bin' }),
  logs: section({
    /** Bytes kept of one build; what comes after is left out. */
    maxBytes: Type.Integer({ minimum: 1_024, default: 50 * 1024 * 1024 }),
  }),
  artifacts: section({
    /** Bytes of all files that are kept of one build. */
    maxBytes: Type.Integer({ minimum: 1_024, default: 500 * 1024 * 1024 }),
  }),
  git: section({
    /** Protocols of repositories; `file` for tests alone. */
    protocols: Type.Array(
      Type.String({ enum: ['https', 'http', 'ssh', 'git', 'file'] }),
      { default: ['https'] },
    ),
    /** File of certificate authorities to trust instead of the system's. */
    caFile: Type.Optional(Type.String()),
  }),
  /** To tell forges of builds of their commits, by names of the operator's choice. */
  forges: Type.Record(Type.String(), ForgeConfig, { default: {} }),
  /** To tell the delivery lake of builds; without it the lake hears nothing. */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  /** To tell the SPACE metrics of builds. */
  spaceMetrics: Type.Optional(
    Type.Object(
      {
        baseUrl: Type.String({ pattern: '^https?://' }),
        apiKey: Type.String({ minLength: 1 }),
      },
      { additionalProperties: false },
    ),
  ),
});
export type BuildServerConfig = Static<typeof buildServerConfig>;

/** What the kit gives to this service. */
export type Kit = ServiceKit<BuildServerConfig & CommonConfig>;
