import path from 'node:path';
import {
  type HeaderOf,
  isHmacOf,
  isSameSecret,
  isSigned,
} from '@slipway/platform-guards';
import {
  InvalidRequestError,
  looksLikeActor,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { Build, BuildSource } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { Branches } from './Branches.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import {
  type EventSource,
  type Gone,
  type Payload,
  textOf,
} from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';

/** Refs built by default: no pull requests, which may come from forks. */
const BRANCHES_AND_TAGS = ['refs/heads/**', 'refs/tags/**'];

/** Longer refs exceed the limits of file systems. */
const MAX_REF = 500;

/** A received webhook. */
export interface Delivery {
  token: string;
  /** The headers, which may include a signature of the raw body. */
  header: HeaderOf;
  body: Buffer;
  /** The media type of the body: JSON, or a form with JSON in the field `payload`. */
  type: 'json' | 'form' | 'other';
  /** The event type given by the forge. */
  event?: string;
  /** True if a header identifies a forge, whose payloads are complete. */
  isForge?: boolean;
  /** The forge's id of the delivery. */
  id?: string;
}

/**
 * The result of a webhook for one job: a build, or why there is none. Several if it
 * contains several refs.
 */
export type Triggered =
  { job: string; build: Build } | { job: string; reason: string };

type WebhookJob = Job & { webhook: NonNullable<Job['webhook']> };

/** Triggers the jobs that have the token of a webhook. */
export class WebhookIntake {
  readonly #catalog: JobCatalog;
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #triggers: BuildTriggers;
  readonly #branches: Branches;

  constructor(options: {
    jobs: JobCatalog;
    /** Values, by name. */
    secrets: ReadonlyMap<string, string>;
    triggers: BuildTriggers;
    branches: Branches;
  }) {
    this.#catalog = options.jobs;
    this.#secrets = options.secrets;
    this.#triggers = options.triggers;
    this.#branches = options.branches;
  }

  /**
   * @throws UnauthenticatedError for an unknown token, and for a missing or invalid
   * signature that a job requires.
   * @throws InvalidRequestError if the body is not a JSON object or not declared as such,
   * or if no job has all its required parameters.
   */
  async take(delivery: Delivery): Promise<Triggered[]> {
    const jobs = this.#jobsOf(delivery.token);
    jobs.forEach(job => this.#verify(job, delivery));
    const payload = parse(delivery);
    const outcomes: Triggered[] = [];
    let lacking: unknown;
    for (const job of jobs) {
      try {
        outcomes.push(...(await this.#trigger(job, delivery, payload)));
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

  /** Checks whether any job has a token. */
  isKnown(token: string): boolean {
    return this.#findJobs(token).length > 0;
  }

  /** @throws UnauthenticatedError if no job has the token. */
  assertKnown(token: string): void {
    this.#jobsOf(token);
  }

  #jobsOf(token: string): WebhookJob[] {
    const jobs = this.#findJobs(token);
    if (jobs.length === 0) {
      throw new UnauthenticatedError('The token is not valid');
    }
    return jobs;
  }

  #findJobs(token: string): WebhookJob[] {
    return this.#catalog
      .all()
      .filter((job): job is WebhookJob => job.webhook !== undefined)
      .filter(({ webhook }) =>
        isSameSecret(token, this.#secrets.get(webhook.token)!),
      );
  }

  #verify({ webhook }: WebhookJob, delivery: Delivery): void {
    const secrets = webhook.signingSecrets?.map(name =>
      this.#secrets.get(name)!,
    );
    if (secrets && !isSignedBy(secrets, delivery)) {
      throw new UnauthenticatedError('The signature is missing or not valid');
    }
  }

  async #trigger(
    job: WebhookJob,
    delivery: Delivery,
    payload: Payload,
  ): Promise<Triggered[]> {
    const { event } = delivery;
    const disabled = this.#catalog.disabledReason(job.name);
    if (disabled !== undefined) {
      return [{ job: job.name, reason: `The job is disabled: ${disabled}` }];
    }
    const found = sourcesFor(job, delivery, payload);
    for (const gone of found.gone ?? []) {
      await this.#branches.close(job, gone);
    }
    if ('reason' in found) {
      return [{ job: job.name, reason: found.reason }];
    }
    const outcomes: Triggered[] = [];
    for (const [index, { source, author }] of found.sources.entries()) {
      const reason = ignoredFor(job, source);
      if (reason !== undefined) {
        outcomes.push({ job: job.name, reason });
        continue;
      }
      const target = await this.#branches.open(job, source);
      if ('reason' in target) {
        outcomes.push({ job: job.name, reason: target.reason });
        continue;
      }
      const build = await this.#triggers.trigger({
        job: target,
        parameters: parametersOf(job, payload),
        source,
        cause: causeOf(source, event),
        kind: 'webhook',
        triggeredBy: authorOf(source, author),
        delivery: deliveryOf(delivery, index),
      });
      outcomes.push({ job: job.name, build });
    }
    return outcomes;
  }
}

/** Bitbucket's signature header, formerly used by GitHub with SHA-1, which is not accepted. */
const BITBUCKET_SIGNATURE = 'x-hub-signature';

/** Checks whether a delivery is signed with one of several secrets, in the format of any supported forge. */
function isSignedBy(
  secrets: readonly string[],
  { header, body, type }: Pick<Delivery, 'header' | 'body' | 'type'>,
): boolean {
  const sent = [header('x-hub-signature-256')];
  if (header('x-event-key') !== undefined) {
    sent.push(header(BITBUCKET_SIGNATURE));
  }
  // Every secret is tried, so that timing does not reveal which one matched.
  const ofBody = sent
    .filter(signature => signature !== undefined)
    .flatMap(signature =>
      secrets.map(secret => isHmacOf(signature, { body, secret })),
    );
  const ofForge = (['gitlab', 'gitea', 'forgejo'] as const)
    .filter(
      forge =>
        header(`x-${forge}-event`) !== undefined ||
        // GitLab's method is a standard, which other senders use, too.
        (forge === 'gitlab' && header('webhook-signature') !== undefined),
    )
    .map(forge =>
      // Gitea and Forgejo sign the JSON, also if they send it in a form.
      isSigned({
        ...{ forge, secrets },
        delivery: { header, body, message: textOfBody({ body, type }) },
      }),
    );
  return [...ofBody, ...ofForge].includes(true);
}

/** Returns the sources that an event asks a job to build, or why there are none. */
function sourcesFor(
  { webhook, source }: WebhookJob,
  { event, isForge }: Delivery,
  payload: Payload,
): ({ sources: EventSource[] } | { reason: string }) & {
  gone?: readonly Gone[];
} {
  const { events } = webhook;
  const unwanted = { reason: `The job does not build on ${event} events` };
  if (event !== undefined && events && !events.includes(event)) {
    return unwanted;
  }
  const reading = readEvent(payload, { event, isForge });
  switch (reading.kind) {
    case 'builds': {
      const reason = source && reading.sources.map(faultOf).find(Boolean);
      return reason === undefined ? reading : { reason };
    }
    case 'nothing':
      return reading;
    default:
      if (event === undefined) {
        return { reason: 'The event names no commit' };
      }
      // If the job has no checkout, it accepts an event that it explicitly lists.
      return events && !source
        ? { sources: [{ source: { commits: [] }, isStrict: false }] }
        : unwanted;
  }
}

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns why a source cannot be checked out; whether the commit exists is checked later. */
function faultOf(event: EventSource): string | undefined {
  const { source } = event;
  if (event.fault !== undefined || !event.isStrict) {
    return event.fault;
  }
  if (!source.ref?.startsWith('refs/')) {
    return 'The event names no ref';
  }
  return SHA.test(source.after ?? '') ? undefined : 'The event names no commit';
}

function parametersOf(
  job: WebhookJob,
  payload: Payload,
): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const { name, payload: at } of job.parameters ?? []) {
    const value = at === undefined ? undefined : valueAt(payload, at);
    if (value !== undefined) {
      parameters.set(name, [value]);
    }
  }
  return parameters;
}

/** Returns the id of one build of a delivery. Several refs give several builds, each with its own id. */
function deliveryOf({ id }: Delivery, index: number): string | undefined {
  return id === undefined
    ? undefined
    : `webhook:${id}${index === 0 ? '' : `#${index}`}`;
}

/** Returns the author of the newest commit. The name is not verified and must not look like a user's. */
function authorOf(
  { commits }: BuildSource,
  sender: string | undefined,
): string | undefined {
  const author = commits.at(-1)?.author || sender || undefined;
  return author && looksLikeActor(author) ? `git:${author}` : author;
}

/** Returns why a job does not build a source; undefined if it does. */
export function ignoredFor(
  { webhook, source, pipelines }: Pick<Job, 'webhook' | 'source' | 'pipelines'>,
  { ref, pullRequest }: BuildSource,
): string | undefined {
  // Without a ref, the job's own branch is built. With pipelines in the repository, they
  // decide which pull requests have a job.
  const isOwn = pipelines !== undefined && pullRequest !== undefined;
  const byDefault =
    source && ref !== undefined && !isOwn ? BRANCHES_AND_TAGS : undefined;
  const refs = webhook?.refs ?? byDefault;
  if (refs && !isAllowed(ref ?? '', refs)) {
    return `The job does not build ${ref?.slice(0, 100) || 'without a ref'}`;
  }
  return undefined;
}

function isAllowed(ref: string, globs: readonly string[]): boolean {
  return (
    ref.length <= MAX_REF &&
    globs.some(glob => path.posix.matchesGlob(ref, glob))
  );
}

function causeOf({ repository, ref }: BuildSource, event = 'webhook'): string {
  const what = [repository, ref].filter(Boolean).join(' ');
  return `Triggered by ${event}${what ? ` of ${what}` : ''}`;
}

function parse({ body, type }: Delivery): Payload {
  // Any other media type is not JSON, whatever the content.
  if (type === 'other') {
    throw fault('The Content-Type must be application/json', 'mediaType');
  }
  let value: unknown;
  try {
    value = JSON.parse(textOfBody({ body, type }));
  } catch {
    throw fault('The request body is not valid JSON', 'format');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('The request body must be a JSON object', 'type');
  }
  return value as Payload;
}

/** Returns the JSON in a body; empty for a form without it. */
function textOfBody({ body, type }: Pick<Delivery, 'body' | 'type'>): string {
  const text = body.toString('utf8');
  return type === 'form'
    ? (new URLSearchParams(text).get('payload') ?? '')
    : text;
}

function fault(message: string, constraint: string): InvalidRequestError {
  return new InvalidRequestError(message, { field: 'body', constraint });
}

/** Returns the value at a dotted path, as text; undefined if there is none. */
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
