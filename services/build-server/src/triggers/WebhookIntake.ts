import {
  type HeaderOf,
  isHmacOf,
  isSameSecret,
  isSigned,
} from '@slipway/platform-guards';
import {
  InvalidRequestError,
  isJsonObject,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { Build, BuildSource } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import {
  authorOf,
  type EventSource,
  faultOf,
  type Gone,
  parametersIn,
  type Payload,
} from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';
import type { Revisions } from './Revisions.ts';

/** Time for reading the messages of all commits of a delivery; forges give up after 10 s. */
const MAX_READ_MS = 5_000;

/**
 * The result of a webhook for one job: a build, or why there is none. A job may have several
 * results if the webhook contains several refs.
 */
export type Triggered =
  { job: string; build: Build } | { job: string; reason: string };

/** A received webhook. */
export interface Delivery {
  token: string;
  /** The headers, which may include a signature of the raw body. */
  header: HeaderOf;
  body: Buffer;
  /** The body as text; for a form, the field `payload`. */
  text: string;
  /** False if the media type of the body is neither JSON nor that of a form. */
  isJson: boolean;
  /** The event type given by the forge. */
  event?: string;
  /** True if a header identifies a forge, whose payloads are complete. */
  isForge?: boolean;
  /** The forge's id of the delivery. */
  id?: string;
}

/** A job that webhooks trigger. */
type WebhookJob = Job & { webhook: NonNullable<Job['webhook']> };

/** Dependencies of {@link WebhookIntake}. */
interface IntakeOptions {
  jobs: JobCatalog;
  /** Values, by name. */
  secrets: ReadonlyMap<string, string>;
  triggers: BuildTriggers;
  revisions: Revisions;
}

/** Triggers the jobs that have the token of a webhook. */
export class WebhookIntake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
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
    const payload = parsePayload(delivery);
    const outcomes: Triggered[] = [];
    let lacking: unknown;
    const readUntil = performance.now() + MAX_READ_MS;
    for (const job of jobs) {
      try {
        outcomes.push(
          ...(await this.#trigger(job, { delivery, payload, readUntil })),
        );
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
    const { jobs, secrets } = this.#options;
    return jobs
      .all()
      .filter((job): job is WebhookJob => job.webhook !== undefined)
      .filter(({ webhook }) =>
        isSameSecret(token, secrets.get(webhook.token)!),
      );
  }

  #verify({ webhook }: WebhookJob, delivery: Delivery): void {
    const { secrets: values } = this.#options;
    const secrets = webhook.signingSecrets?.map(name => values.get(name)!);
    if (secrets && !isSignedBy(secrets, delivery)) {
      throw new UnauthenticatedError('The signature is missing or not valid');
    }
  }

  async #trigger(
    job: WebhookJob,
    received: { delivery: Delivery; payload: Payload; readUntil: number },
  ): Promise<Triggered[]> {
    const { jobs, triggers, revisions } = this.#options;
    const { delivery, payload, readUntil } = received;
    const disabled = jobs.disabledReason(job.name);
    if (disabled !== undefined) {
      return [{ job: job.name, reason: `The job ${disabled}` }];
    }
    const found = sourcesFor(job, delivery, payload);
    for (const gone of found.gone ?? []) {
      await revisions.close(job, gone);
    }
    if ('reason' in found) {
      return [{ job: job.name, reason: found.reason }];
    }
    const outcomes: Triggered[] = [];
    for (const [index, event] of found.sources.entries()) {
      const { source } = event;
      const target = await revisions.jobOf(job, event, {
        withinMs: Math.max(Math.ceil(readUntil - performance.now()), 0),
      });
      if ('reason' in target) {
        outcomes.push({ job: job.name, reason: target.reason });
        continue;
      }
      const build = await triggers.trigger({
        job: target,
        parameters: parametersIn(payload, job),
        source,
        cause: causeOf(source, delivery.event),
        kind: 'webhook',
        triggeredBy: authorOf(event),
        delivery: deliveryOf(delivery, index),
      });
      outcomes.push({ job: job.name, build });
    }
    return outcomes;
  }
}

/** Checks whether a delivery is signed with one of several secrets, in the format of any supported forge. */
function isSignedBy(
  secrets: readonly string[],
  { header, body, text }: Delivery,
): boolean {
  const sent = [header('x-hub-signature-256')];
  if (header('x-event-key') !== undefined) {
    // The header of Bitbucket. GitHub used it for SHA-1 signatures, which are not accepted.
    sent.push(header('x-hub-signature'));
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
        // GitLab's method is a standard, which other senders also use.
        (forge === 'gitlab' && header('webhook-signature') !== undefined),
    )
    .map(forge =>
      // Gitea and Forgejo sign the JSON even if they send it in a form.
      isSigned({
        ...{ forge, secrets },
        delivery: { header, body, message: text },
      }),
    );
  return [...ofBody, ...ofForge].includes(true);
}

/**
 * Parses the JSON of a delivery.
 *
 * @throws InvalidRequestError if the body is not a JSON object or not declared as such.
 */
function parsePayload({ text, isJson }: Delivery): Payload {
  // Any other media type is not JSON, whatever the content.
  if (!isJson) {
    throw fault('The Content-Type must be application/json', 'mediaType');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fault('The request body is not valid JSON', 'format');
  }
  if (!isJsonObject(value)) {
    throw fault('The request body must be a JSON object', 'type');
  }
  return value;
}

function fault(message: string, constraint: string): InvalidRequestError {
  return new InvalidRequestError(message, { field: 'body', constraint });
}

/** Returns the sources that a job should build for an event, or why there are none. */
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

function causeOf({ repository, ref }: BuildSource, event = 'webhook'): string {
  const what = [repository, ref].filter(Boolean).join(' ');
  return `Triggered by ${event}${what ? ` of ${what}` : ''}`;
}

/** Returns the id of one build of a delivery. Several refs give several builds, each with its own id. */
function deliveryOf({ id }: Delivery, index: number): string | undefined {
  return id === undefined
    ? undefined
    : `webhook:${id}${index === 0 ? '' : `#${index}`}`;
}
