import { z } from 'zod';
import { ownRepository } from './foldRecords';
import {
  ChangeEvent,
  DeploymentEvent,
  LakeEvent,
  MAX_LISTED_CHANGES,
  SHA_PATTERN,
  TEXT_LIMITS,
} from './LakeEvent';

/**
 * Rules for single fields, shared with the request schemas. Each returns the violated requirement,
 * or undefined if the value is valid.
 */
export const rules = {
  /** A text that identifies something. */
  name: (limit: number) => (name: string) => {
    if (name === '') {
      return 'must not be empty';
    }
    return name.length > limit
      ? `must have at most ${limit} characters`
      : undefined;
  },
  sha: (sha: string) =>
    SHA_PATTERN.test(sha) ? undefined : 'must be 7 to 64 hexadecimal digits',
  sequence: (sequence: number) =>
    Number.isInteger(sequence) && sequence >= 0
      ? undefined
      : 'must be a whole number from 0',
  changes: (changes: readonly string[]) =>
    changes.length > MAX_LISTED_CHANGES
      ? `must list at most ${MAX_LISTED_CHANGES}`
      : undefined,
};

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|([+-]\d\d):?(\d\d))$/;
const TIME_MESSAGE =
  'must be an ISO 8601 timestamp with an offset, or milliseconds since 1970';

/** Returns whether a date exists: V8 parses 30 February as 2 March. */
function isRealDay(year: string, month: string, day: string): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCDate() === Number(day);
}

/**
 * Reads an ISO 8601 timestamp with an offset, its colon optional (`+0200`).
 *
 * @returns milliseconds since the Unix epoch; NaN for anything else.
 */
function parseTimestamp(timestamp: string): number {
  const match = TIMESTAMP.exec(timestamp);
  if (!match || !isRealDay(match[1], match[2], match[3])) {
    return NaN;
  }
  const [, , , , hours, minutes] = match;
  return Date.parse(
    hours === undefined
      ? timestamp
      : `${timestamp.slice(
          0,
          timestamp.search(/[+-]\d\d:?\d\d$/),
        )}${hours}:${minutes}`,
  );
}

/** A moment in a request: a timestamp or milliseconds, parsed to milliseconds. */
export const timeField = z
  .union([z.string(), z.number()], { error: TIME_MESSAGE })
  .transform((value, context) => {
    const milliseconds =
      typeof value === 'number' ? Math.trunc(value) : parseTimestamp(value);
    if (Number.isNaN(milliseconds)) {
      context.addIssue({ code: 'custom', message: TIME_MESSAGE });
      return z.NEVER;
    }
    return milliseconds;
  });

/** Returns the schema of a text with at most this many characters. */
export function textField(limit: number) {
  return z.string().max(limit, `must have at most ${limit} characters`);
}

/** Checks a field with a rule of {@link rules}, so that an error is reported with the field's path. */
export function keeps<T>(rule: (value: T) => string | undefined) {
  return (value: T, context: z.RefinementCtx) => {
    const message = rule(value);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  };
}

/** Returns the schema of an identifying text: not blank, without control characters. */
export function nameField(limit: number) {
  return z
    .string()
    .trim()
    .superRefine(keeps(rules.name(limit)))
    .regex(/^\P{Cc}*$/u, 'must not contain control characters');
}

/** A commit in hexadecimal. */
export const shaField = z.string().superRefine(keeps(rules.sha));

/** Returns the schema of an absolute http(s) URL. */
export function addressField(limit: number) {
  return textField(limit).regex(
    /^https?:\/\/[^\s]+$/i,
    'must be an http(s) address',
  );
}

/** Reason why an event is rejected. */
interface EventFault {
  /** Starts with the field: `finishedAt is before startedAt`. */
  error: string;
  /** Dotted path. */
  field: string;
}

const EARLIEST = Date.UTC(1990, 0);

type Checks = Generator<EventFault, void, void>;

function fault(field: string, complaint: string): EventFault {
  return { field, error: `${field} ${complaint}` };
}

function* checkTimes(
  times: Record<string, number | null | undefined>,
  latest: number,
): Checks {
  for (const [field, time] of Object.entries(times)) {
    if (typeof time === 'number') {
      if (!Number.isSafeInteger(time)) {
        yield fault(field, 'is no time');
      } else if (time < EARLIEST) {
        yield fault(field, 'is before 1990; numbers are milliseconds');
      } else if (time > latest) {
        yield fault(field, 'is in the future');
      }
    }
  }
}

function* checkField<T>(
  field: string,
  value: T | undefined,
  rule: (value: T) => string | undefined,
): Checks {
  const complaint = value === undefined ? undefined : rule(value);
  if (complaint !== undefined) {
    yield fault(field, complaint);
  }
}

function* checkName(
  field: string,
  name: string | undefined,
  limit: number,
): Checks {
  yield* checkField(field, name, rules.name(limit));
}

function* checkSha(field: string, sha: string | undefined): Checks {
  yield* checkField(field, sha, rules.sha);
}

function* checkKind(event: LakeEvent, latest: number): Checks {
  if (event.kind === 'change') {
    const { committedAt, landedAt, sequence } = event;
    yield* checkName('repository', event.repository, TEXT_LIMITS.repository);
    yield* checkSha('sha', event.sha);
    yield* checkTimes({ committedAt, landedAt }, latest);
    yield* checkField('sequence', sequence, rules.sequence);
    return;
  }
  yield* checkName('service', event.service, TEXT_LIMITS.service);
  yield* checkName('environment', event.environment, TEXT_LIMITS.environment);
  if (event.kind === 'incident') {
    const { deployment, startedAt, resolvedAt } = event;
    yield* checkTimes({ startedAt, resolvedAt }, latest);
    if (startedAt && resolvedAt && resolvedAt < startedAt) {
      yield fault('resolvedAt', 'is before startedAt');
    }
    yield* checkName(
      'deployment.source',
      deployment?.source,
      TEXT_LIMITS.source,
    );
    yield* checkName(
      'deployment.id',
      deployment?.externalId,
      TEXT_LIMITS.externalId,
    );
    yield* checkName('deployment.id', deployment?.id, 64);
    yield* checkSha('deployment.sha', deployment?.sha);
    return;
  }
  const { changes = [], commit, startedAt, finishedAt, rollbackOf } = event;
  yield* checkTimes(
    { startedAt, finishedAt, 'commit.committedAt': commit?.committedAt },
    latest,
  );
  if (
    startedAt !== undefined &&
    finishedAt !== undefined &&
    finishedAt < startedAt
  ) {
    yield fault('finishedAt', 'is before startedAt');
  }
  yield* checkName('repository', event.repository, TEXT_LIMITS.repository);
  yield* checkSha('commit.sha', commit?.sha);
  yield* checkField('changes', changes, rules.changes);
  for (const [index, sha] of changes.entries()) {
    yield* checkSha(`changes[${index}]`, sha);
  }
  if (rollbackOf !== true) {
    yield* checkName('rollbackOf', rollbackOf, TEXT_LIMITS.externalId);
  }
}

function* checks(event: LakeEvent, latest: number): Checks {
  yield* checkName('source', event.source, TEXT_LIMITS.source);
  yield* checkName('id', event.externalId, TEXT_LIMITS.externalId);
  yield* checkKind(event, latest);
  // Checked last: if it defaults to another field, the error is reported for that field.
  yield* checkTimes({ occurredAt: event.occurredAt }, latest);
}

/**
 * Rejects implausible events: an end before the start, a time far in the future or too long ago, a
 * name that identifies nothing.
 *
 * @param options.now - milliseconds since the Unix epoch.
 * @param options.clockSkew - milliseconds that a sender's clock may be ahead.
 * @returns the first error; undefined if the event is valid.
 */
export function checkEvent(
  event: LakeEvent,
  options: { now: number; clockSkew: number },
): EventFault | undefined {
  for (const found of checks(event, options.now + options.clockSkew)) {
    return found;
  }
  return undefined;
}

/**
 * Derives the change that a deployment implies by giving its commit's time.
 *
 * @returns undefined if the time or the repository is missing.
 */
export function impliedChange(event: DeploymentEvent): ChangeEvent | undefined {
  const { commit, service } = event;
  const repository =
    event.repository ??
    (service === undefined ? undefined : ownRepository(service));
  if (event.deleted || commit?.committedAt === undefined || !repository) {
    return undefined;
  }
  return {
    kind: 'change',
    source: event.source,
    externalId: commit.sha,
    occurredAt: event.occurredAt,
    repository,
    sha: commit.sha,
    message: commit.message,
    author: commit.author,
    committedAt: commit.committedAt,
  };
}
