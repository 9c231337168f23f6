import path from 'node:path';
import { isHmacOf, isSameSecret } from '@slipway/platform-guards';
import {
  InvalidRequestError,
  looksLikeActor,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { Build, BuildSource, Commit } from '../builds/Build.ts';
import type { Job, JobCatalog } from '../jobs/Job.ts';
import type { BuildTriggers } from './BuildTriggers.ts';

/** What is built of a repository where its job says nothing: no pull requests, which may be of forks. */
const BRANCHES_AND_TAGS = ['refs/heads/**', 'refs/tags/**'];

/** Longer ones are no refs that a file system holds. */
const MAX_REF = 500;

/** A webhook as it came. */
export interface Delivery {
  token: string;
  /** The signature over the body as it came over the wire. */
  signature: string | string[] | undefined;
  body: Buffer;
  /** True where the media type of the body is JSON. */
  isJson: boolean;
  /** Type of the event, as the forge says. */
  event?: string;
  /** What the forge calls the delivery. */
  id?: string;
}

/** What became of a webhook for one job: a build, or why there is none. */
export type Triggered =
  { job: string; build: Build } | { job: string; reason: string };

type WebhookJob = Job & { webhook: NonNullable<Job['webhook']> };

/** Triggers the jobs whose token a webhook has. */
export class WebhookIntake {
  readonly #jobs: readonly WebhookJob[];
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #triggers: BuildTriggers;

  constructor(options: {
    jobs: JobCatalog;
    /** Values, by name. */
    secrets: ReadonlyMap<string, string>;
    triggers: BuildTriggers;
  }) {
    this.#jobs = options.jobs
      .all()
      .filter((job): job is WebhookJob => job.webhook !== undefined);
    this.#secrets = options.secrets;
    this.#triggers = options.triggers;
  }

  /**
   * @throws UnauthenticatedError for an unknown token, and for a signature that a job
   *   demands and that is missing or wrong.
   * @throws InvalidRequestError for a body that is no JSON object or not said to be, and where no job
   *   has all parameters that it requires.
   */
  async take(delivery: Delivery): Promise<Triggered[]> {
    const jobs = this.#jobsOf(delivery.token);
    jobs.forEach(job => this.#verify(job, delivery));
    const payload = parse(delivery);
    const outcomes: Triggered[] = [];
    let lacking: unknown;
    for (const job of jobs) {
      try {
        outcomes.push(await this.#trigger(job, delivery, payload));
      } catch (error) {
        if (!(error instanceof InvalidRequestError)) {
          throw error;
        }
        lacking = error;
        outcomes.push({ job: job.name, reason: error.message });
      }
    }
    if (lacking !== undefined && outcomes.every(one => 'reason' in one)) {
      throw lacking;
    }
    return outcomes;
  }

  /** @throws UnauthenticatedError for a token that no job has. */
  assertKnown(token: string): void {
    this.#jobsOf(token);
  }

  #jobsOf(token: string): WebhookJob[] {
    const jobs = this.#jobs.filter(({ webhook }) =>
      isSameSecret(token, this.#secrets.get(webhook.token)!),
    );
    if (jobs.length === 0) {
      throw new UnauthenticatedError('The token is not valid');
    }
    return jobs;
  }

  #verify({ webhook }: WebhookJob, { signature, body }: Delivery): void {
    const secrets = webhook.signingSecrets?.map(name =>
      this.#secrets.get(name)!,
    );
    const sent = typeof signature === 'string' ? signature : '';
    // Every secret is tried: the time tells nothing of which one it was.
    const isSigned = secrets
      ?.map(secret => isHmacOf(sent, { body, secret }))
      .includes(true);
    if (isSigned === false) {
      throw new UnauthenticatedError('The signature is missing or not valid');
    }
  }

  async #trigger(
    job: WebhookJob,
    { event, id }: Delivery,
    payload: Payload,
  ): Promise<Triggered> {
    const reason = ignoredFor(job, { event, payload });
    if (reason !== undefined) {
      return { job: job.name, reason };
    }
    const source = sourceOf(payload);
    const parameters = new Map<string, string[]>();
    for (const { name, payload: at } of job.parameters ?? []) {
      const value = at === undefined ? undefined : valueAt(payload, at);
      if (value !== undefined) {
        parameters.set(name, [value]);
      }
    }
    const build = await this.#triggers.trigger({
      job,
      parameters,
      source,
      cause: causeOf(source, event),
      triggeredBy: authorOf(source),
      delivery: id === undefined ? undefined : `webhook:${id}`,
    });
    return { job: job.name, build };
  }
}

/** The author of the newest commit, who chose the name: it must not read as a user's. */
function authorOf({
  commits,
}: ReturnType<typeof sourceOf>): string | undefined {
  const author = commits.at(-1)?.author || undefined;
  return author && looksLikeActor(author) ? `git:${author}` : author;
}

function ignoredFor(
  { webhook, source }: WebhookJob,
  { event, payload }: { event?: string; payload: Payload },
): string | undefined {
  const { events } = webhook;
  if (event !== undefined && !(events?.includes(event) ?? event !== 'ping')) {
    return `The job does not build on ${event} events`;
  }
  if (isDeletion(payload)) {
    return 'The ref was deleted';
  }
  const ref = typeof payload.ref === 'string' ? payload.ref : '';
  // Without a ref it is the branch of the job that is built.
  const byDefault =
    source && payload.ref !== undefined ? BRANCHES_AND_TAGS : undefined;
  const refs = webhook.refs ?? byDefault;
  if (refs && !isAllowed(ref, refs)) {
    return `The job does not build ${ref.slice(0, 100) || 'without a ref'}`;
  }
  return undefined;
}

function isAllowed(ref: string, globs: readonly string[]): boolean {
  return (
    ref.length <= MAX_REF &&
    globs.some(glob => path.posix.matchesGlob(ref, glob))
  );
}

function causeOf(
  { repository, ref }: { repository?: string; ref?: string },
  event = 'webhook',
): string {
  const what = [repository, ref].filter(Boolean).join(' ');
  return `Triggered by ${event}${what ? ` of ${what}` : ''}`;
}

function parse({ body, isJson }: Delivery): Payload {
  // Another media type is no JSON, whatever its bytes.
  if (!isJson) {
    throw fault('The Content-Type must be application/json', 'mediaType');
  }
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw fault('The request body is not valid JSON', 'format');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('The request body must be a JSON object', 'type');
  }
  return value as Payload;
}

function fault(message: string, constraint: string): InvalidRequestError {
  return new InvalidRequestError(message, { field: 'body', constraint });
}

const MAX_COMMITS = 200;
const MAX_TEXT = 5_000;
const ZEROS = /^0{40,64}$/;
const NOT_TEXT = /\0|\p{Surrogate}/gu;

/** A JSON object that a forge sent. */
export type Payload = Readonly<Record<string, unknown>>;

/** What is built of a push. Every field may be missing: any object is a payload. */
function sourceOf(payload: Payload): BuildSource {
  const { repository, project } = payload as {
    repository?: Payload;
    project?: Payload;
  };
  const name = [
    repository?.full_name,
    project?.path_with_namespace,
    repository?.name,
  ].find(candidate => typeof candidate === 'string');
  const commits = Array.isArray(payload.commits) ? payload.commits : [];
  return {
    repository: textOf(name),
    ref: textOf(payload.ref),
    before: textOf(payload.before),
    after: textOf(payload.after),
    commits: commits.slice(0, MAX_COMMITS).flatMap(readCommit),
  };
}

/** Tells whether a push deleted its ref: there is nothing to build. */
function isDeletion(payload: Payload): boolean {
  return (
    payload.deleted === true ||
    (typeof payload.after === 'string' && ZEROS.test(payload.after))
  );
}

/** The value at a dotted path, as text; undefined for what is none. */
function valueAt(payload: Payload, dotted: string): string | undefined {
  let value: unknown = payload;
  for (const name of dotted.split('.')) {
    if (
      typeof value !== 'object' ||
      value === null ||
      !Object.hasOwn(value, name)
    ) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[name];
  }
  return typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : textOf(value);
}

function readCommit(commit: unknown): Commit[] {
  const { id, message, author } = (commit ?? {}) as {
    id?: unknown;
    message?: unknown;
    author?: { name?: unknown } | null;
  };
  return typeof id === 'string'
    ? [
        {
          id: textOf(id)!,
          message: textOf(message) ?? '',
          author: textOf(author?.name) ?? '',
        },
      ]
    : [];
}

/** Payloads come from anywhere: what no database stores is replaced, what is endless cut. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value.slice(0, MAX_TEXT).replace(NOT_TEXT, '\ufffd')
    : undefined;
}
