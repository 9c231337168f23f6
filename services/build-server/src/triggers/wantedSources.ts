import path from 'node:path';
import { looksLikeActor } from '@slipway/service-kit';
import type { BuildSource } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import type { EventSource, Gone, Payload } from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';
import type { Delivery } from './readDelivery.ts';

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

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Returns why a source cannot be checked out; whether the commit exists is checked later. */
export function faultOf(event: EventSource): string | undefined {
  const { source } = event;
  if (event.fault !== undefined || !event.isStrict) {
    return event.fault;
  }
  if (!source.ref?.startsWith('refs/')) {
    return 'The event names no ref';
  }
  return SHA.test(source.after ?? '') ? undefined : 'The event names no commit';
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

/** Returns the author of the newest commit. The name is not verified and must not look like a user's. */
export function authorOf(
  { commits }: BuildSource,
  sender: string | undefined,
): string | undefined {
  const author = commits.at(-1)?.author || sender || undefined;
  return author && looksLikeActor(author) ? `git:${author}` : author;
}
