import { type HeaderOf, isHmacOf, isSigned } from '@slipway/platform-guards';
import {
  InvalidRequestError,
  isJsonObject,
  looksLikeActor,
} from '@slipway/service-kit';
import type { BuildSource } from '../builds/Build.ts';
import { matchesGlob } from '../jobs/globs.ts';
import type { Job } from '../jobs/Job.ts';
import { isCommit } from '../jobs/repository.ts';
import type { EventSource, Gone, Payload } from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';

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

/** Bitbucket's signature header, formerly used by GitHub with SHA-1, which is not accepted. */
const BITBUCKET_SIGNATURE = 'x-hub-signature';

/** Checks whether a delivery is signed with one of several secrets, in the format of any supported forge. */
export function isSignedBy(
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

/**
 * Parses the JSON of a delivery.
 *
 * @throws InvalidRequestError if the body is not a JSON object or not declared as such.
 */
export function parsePayload({ body, type }: Delivery): Payload {
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
  if (!isJsonObject(value)) {
    throw fault('The request body must be a JSON object', 'type');
  }
  return value;
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

/** Refs built by default: no pull requests, which may come from forks. */
const BRANCHES_AND_TAGS = ['refs/heads/**', 'refs/tags/**'];

/** Longer refs exceed the limits of file systems. */
const MAX_REF = 500;

/** A job that webhooks trigger. */
export type WebhookJob = Job & { webhook: NonNullable<Job['webhook']> };

/** Returns the sources that an event asks a job to build, or why there are none. */
export function sourcesFor(
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

/** Returns why a source cannot be checked out; whether the commit exists is checked later. */
export function faultOf(event: EventSource): string | undefined {
  const { source } = event;
  if (event.fault !== undefined || !event.isStrict) {
    return event.fault;
  }
  if (!source.ref?.startsWith('refs/')) {
    return 'The event names no ref';
  }
  return isCommit(source.after) ? undefined : 'The event names no commit';
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
  return ref.length <= MAX_REF && globs.some(glob => matchesGlob(ref, glob));
}

/** Returns the author of the newest commit. The name is not verified and must not look like a user's. */
export function authorOf(
  { commits }: BuildSource,
  sender: string | undefined,
): string | undefined {
  const author = commits.at(-1)?.author || sender || undefined;
  return author && looksLikeActor(author) ? `git:${author}` : author;
}
