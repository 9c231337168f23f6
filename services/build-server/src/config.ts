import {
  CHAT_KINDS,
  type ChatKind,
  type CommonConfig,
  CredentialConfig,
  section,
  type ServiceKit,
} from '@slipway/service-kit';
import { type Static, Type } from 'typebox';
import { DiscardPolicySchema, Image, KEPT_BUILDS } from './jobs/JobParts.ts';
import { MailConfig } from './reporting/MailConfig.ts';

/** A user with an API token; every other scope includes `read`. */
const UserConfig = Type.Object({
  ...CredentialConfig.properties,
  scopes: Type.Array(Type.String({ enum: ['read', 'trigger', 'admin'] }), {
    default: ['read'],
  }),
});

const FORGE_KINDS = [
  'github',
  'gitlab',
  'gitea',
  'forgejo',
  'bitbucket-cloud',
  'bitbucket-server',
] as const;

/** A forge that receives the status of builds of its commits. */
const ForgeConfig = Type.Object(
  {
    kind: Type.Unsafe<(typeof FORGE_KINDS)[number]>(
      Type.String({ enum: [...FORGE_KINDS] }),
    ),
    /** Prefix of the addresses of its repositories, e.g. `https://github.com`. */
    url: Type.String({ pattern: '^https?://.*[^/]$' }),
    /** Address of its API; derived from `url` by default. */
    apiUrl: Type.Optional(Type.String({ pattern: '^https?://.*[^/]$' })),
    /** Needs permission to write commit statuses and to read pull requests, and no other. */
    token: Type.String({ minLength: 8 }),
    /** True to comment on pull requests whose builds break; the token needs permission to comment. */
    comments: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type ForgeOptions = Static<typeof ForgeConfig>;

/** The keys of the section `buildServer` in addition to those of every service. */
export const buildServerConfig = Type.Object({
  auth: section({
    apiKeys: Type.Array(CredentialConfig, { default: [] }),
    /** User names and API tokens for HTTP Basic. */
    users: Type.Array(UserConfig, { default: [] }),
    /** Portal groups whose members may trigger and stop every job. */
    triggerGroups: Type.Array(Type.String(), { default: [] }),
    /** Portal groups whose members manage agents and see usage. */
    adminGroups: Type.Array(Type.String(), { default: [] }),
  }),
  /**
   * The rate limits of every service. By default only invalid credentials are limited:
   * other requests are throttled by a proxy, if at all.
   */
  rateLimit: section({
    enabled: Type.Boolean({ default: false }),
    perMinute: Type.Integer({ minimum: 1, default: 6_000 }),
    anonymousPerMinute: Type.Integer({ minimum: 1, default: 600 }),
    store: Type.String({ enum: ['memory', 'redis'], default: 'memory' }),
    redis: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  }),
  /**
   * The address at which clients reach the server, without a trailing slash; by default
   * the address of the request.
   */
  publicUrl: Type.Optional(Type.String({ pattern: '^https?://.*[^/]$' })),
  /** One YAML file per job, reloaded when it changes; relative to the repository. */
  jobsDirectory: Type.String({ default: 'services/build-server/jobs' }),
  /** Seconds between two checks of the job files. */
  jobsReloadSeconds: Type.Number({ minimum: 0.1, maximum: 3_600, default: 5 }),
  /**
   * Interval in seconds at which repositories of jobs with pipelines are polled for commits and pull
   * requests that no webhook has announced; 0 for never.
   */
  pollSeconds: Type.Number({ minimum: 0, maximum: 86_400, default: 300 }),
  /** Days to keep the builds of a removed job. */
  keepRemovedJobsDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
  }),
  /** Logs and work directories, shared by all replicas; relative to the repository. */
  dataDirectory: Type.String({ default: '.data/build-server' }),
  /** Values that job files refer to by name: webhook tokens, signing secrets. */
  secrets: Type.Unsafe<Record<string, string> | null>({
    // Null removes a value from another configuration file.
    type: ['object', 'null'],
    additionalProperties: { type: 'string', minLength: 8 },
    default: {},
  }),
  /** Secrets that steps may receive as variables, by name; masked in logs. */
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
  /**
   * Encrypts the secrets that admins store in the portal. Production without it has only those
   * of `stepSecrets`; development generates one in `dataDirectory`. If it is lost or changed,
   * stored secrets must be entered again.
   */
  secretsKey: Type.Optional(Type.String({ minLength: 32 })),
  /** The default retention of builds, for jobs without their own. */
  discardOldBuilds: section(DiscardPolicySchema.properties),
  /** Builds of a job that people may keep from being deleted, for jobs without their own limit. */
  maxKeptBuilds: Type.Integer({ ...KEPT_BUILDS, default: 20 }),
  /**
   * Variables of every build that this server runs, e.g. `HTTPS_PROXY` and `NODE_EXTRA_CA_CERTS`;
   * jobs may replace them. Every step can read them, so they must not contain secrets.
   */
  environment: Type.Record(Type.String(), Type.String(), { default: {} }),
  /** Builds that one process runs at a time; 0 for a process that only serves requests. */
  executors: Type.Integer({ minimum: 0, maximum: 64, default: 2 }),
  /** Labels of this process, which jobs can require in `runsOn`. */
  labels: Type.Array(Type.String(), { default: [] }),
  /** Programs on other machines that run builds. */
  agents: section({
    /**
     * Seconds without a heartbeat after which the build of an agent is lost; also how
     * long agents tolerate an unreachable server.
     */
    leaseSeconds: Type.Integer({ minimum: 3, maximum: 3_600, default: 60 }),
  }),
  /** Seconds without a heartbeat after which the build of another process is abandoned. */
  leaseSeconds: Type.Integer({ minimum: 3, default: 15 }),
  /** Seconds from SIGTERM to SIGKILL when a build is stopped. */
  killAfterSeconds: Type.Number({ minimum: 0, default: 5 }),
  /** Isolation of build programs from the server. */
  isolation: section({
    /**
     * `auto`: bubblewrap where it works; without it, production does not start and
     * development continues without isolation. `required`: never starts without
     * isolation. `unsafe-none`: steps can read the files, the memory and the tokens of
     * the server.
     */
    mode: Type.Unsafe<'auto' | 'required' | 'unsafe-none'>(
      Type.String({
        enum: ['auto', 'required', 'unsafe-none'],
        default: 'auto',
      }),
    ),
    /** Files and folders that builds may read in addition to the system's. */
    readable: Type.Array(Type.String({ pattern: '^/' }), { default: [] }),
    /** First of the 65,536 user ids of builds, if the server runs as root. */
    firstUid: Type.Integer({
      minimum: 1_000,
      maximum: 4_294_000_000,
      default: 2_000_100_000,
    }),
    /**
     * `shared`, the default: only builds with services have their own network. `own`: all builds;
     * the server does not start where this does not work.
     */
    network: Type.Optional(
      Type.Unsafe<'shared' | 'own'>(Type.String({ enum: ['shared', 'own'] })),
    ),
    /**
     * True if builds with their own network reach this machine: its addresses, its loopback as
     * 10.0.2.2, and its cloud's metadata.
     */
    reachMachine: Type.Optional(Type.Boolean()),
    /** Resource limits of one build, unless its job has its own. */
    limits: section({
      /** Processes and threads. */
      processes: Type.Integer({ minimum: 16, default: 4_096 }),
      /** Mebibytes of memory; by default three quarters of the machine's, shared by its executors. */
      memoryMiB: Type.Optional(Type.Integer({ minimum: 16 })),
      /** Mebibytes of its checkout, home and temporary files together, in containers too. */
      diskMiB: Type.Integer({ minimum: 1, default: 20_480 }),
      /** Mebibytes of one file. */
      fileMiB: Type.Integer({ minimum: 1, default: 16_384 }),
    }),
  }),
  /** Runs jobs with an image in containers. */
  containers: Type.Optional(
    Type.Object(
      {
        /** Socket of podman or docker; anyone with access to it is root on this machine. */
        socket: Type.String({ pattern: '^/' }),
        memoryMiB: Type.Integer({ minimum: 16, default: 4_096 }),
        cpus: Type.Number({ minimum: 0.1, default: 2 }),
        processes: Type.Integer({ minimum: 16, default: 1_024 }),
        /** User id of programs in containers if the server is root; otherwise they have its own. */
        uid: Type.Integer({ minimum: 1_000, default: 65_534 }),
      },
      { additionalProperties: false },
    ),
  ),
  /** Runs jobs with an image in a cluster, instead of in containers on this machine. */
  kubernetes: Type.Optional(
    Type.Object(
      {
        /** `in-cluster`: with the service account of the server's own pod. */
        connection: Type.Unsafe<'in-cluster' | 'kubeconfig'>(
          Type.String({
            enum: ['in-cluster', 'kubeconfig'],
            default: 'in-cluster',
          }),
        ),
        kubeconfig: section({
          /** Default: KUBECONFIG or `~/.kube/config`. */
          file: Type.Optional(Type.String({ pattern: '^/' })),
          /** Default: the file's current context. */
          context: Type.Optional(Type.String({ minLength: 1 })),
        }),
        /** A namespace that contains only builds. */
        namespace: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,62}$' }),
        /** Distinguishes the objects of this installation from those of others in the namespace. */
        instance: Type.String({
          pattern: '^[a-z][a-z0-9-]{0,19}$',
          default: 'slipway',
        }),
        /** Image of jobs without a `container`, which otherwise run on this machine. */
        image: Type.Optional(Image),
        memoryMiB: Type.Integer({ minimum: 64, default: 4_096 }),
        cpus: Type.Number({ minimum: 0.1, default: 2 }),
        /** User and group id of programs in pods. */
        uid: Type.Integer({ minimum: 1_000, default: 65_532 }),
        /** The volume that the pods of a build share. */
        storage: section({
          /** Default: the cluster's default class. */
          className: Type.Optional(Type.String({ minLength: 1 })),
          sizeGiB: Type.Integer({ minimum: 1, default: 10 }),
          /** With `ReadWriteOnce`, all pods of a build run on one node. */
          accessMode: Type.Unsafe<'ReadWriteOnce' | 'ReadWriteMany'>(
            Type.String({
              enum: ['ReadWriteOnce', 'ReadWriteMany'],
              default: 'ReadWriteOnce',
            }),
          ),
        }),
        nodeSelector: Type.Optional(
          Type.Record(Type.String(), Type.String({ maxLength: 63 })),
        ),
        imagePullSecrets: Type.Optional(Type.Array(Type.String())),
        /** Seconds for a pod to start. */
        startSeconds: Type.Integer({ minimum: 1, default: 600 }),
      },
      { additionalProperties: false },
    ),
  ),
  /** PATH of builds. They inherit nothing else from the server's environment. */
  path: Type.String({ default: '/usr/local/bin:/usr/bin:/bin' }),
  logs: section({
    /** Maximum bytes of log per build; further output is dropped. */
    maxBytes: Type.Integer({ minimum: 1_024, default: 50 * 1024 * 1024 }),
  }),
  artifacts: section({
    /** Maximum bytes of all artifacts of one build. */
    maxBytes: Type.Integer({ minimum: 1_024, default: 500 * 1024 * 1024 }),
  }),
  /** Folders cached between builds. */
  caches: section({
    /** Maximum bytes of one cache. */
    maxBytes: Type.Integer({ minimum: 1_024, default: 1024 ** 3 }),
    /** Maximum bytes of all caches of a job and its branches; the least recently used are removed first. */
    quotaBytes: Type.Integer({ minimum: 1_024, default: 5 * 1024 ** 3 }),
    /** Days to keep an unused cache. */
    keepDays: Type.Integer({ minimum: 1, default: 14 }),
  }),
  git: section({
    /** Allowed protocols of repositories; `file` is for tests only. */
    protocols: Type.Array(
      Type.String({ enum: ['https', 'http', 'ssh', 'git', 'file'] }),
      { default: ['https'] },
    ),
    /** Absolute file of trusted certificate authorities, replacing the system's. */
    caFile: Type.Optional(Type.String({ pattern: '^/' })),
  }),
  /** Incoming webhooks of chats, by the names used in the `notify` key of jobs. */
  chats: Type.Record(
    Type.String(),
    Type.Object(
      {
        kind: Type.Unsafe<ChatKind>(Type.String({ enum: [...CHAT_KINDS] })),
        url: Type.String({ pattern: '^https?://' }),
      },
      { additionalProperties: false },
    ),
    { default: {} },
  ),
  /** The SMTP server for email notifications of jobs with `mail`. */
  mail: Type.Optional(MailConfig),
  /** Forges that receive commit statuses, by names of the operator's choice. */
  forges: Type.Record(Type.String(), ForgeConfig, { default: {} }),
  /**
   * Token for sending build events to the delivery lake and for looking up components in the catalog;
   * without it, no events are sent.
   */
  portalToken: Type.Optional(Type.String({ minLength: 1 })),
  /** The address to which the SPACE metrics of builds are sent. */
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

/** The service kit of this service. */
export type Kit = ServiceKit<BuildServerConfig & CommonConfig>;
