import { LakeEvent } from './LakeEvent';
import { MAX_LISTED_CHANGES, SHA_PATTERN, TEXT_LIMITS } from './limits';

/** Why an event is not believed. */
export interface EventFault {
  /** Begins with the field: `finishedAt is before startedAt`. */
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

function* checkName(
  field: string,
  name: string | undefined,
  limit: number,
): Checks {
  if (name === '') {
    yield fault(field, 'is empty');
  } else if (name !== undefined && name.length > limit) {
    yield fault(field, `has more than ${limit} characters`);
  }
}

function* checkSha(field: string, sha: string | undefined): Checks {
  if (sha !== undefined && !SHA_PATTERN.test(sha)) {
    yield fault(field, 'is no SHA of 7 to 64 hexadecimal digits');
  }
}

function* checkKind(event: LakeEvent, latest: number): Checks {
  if (event.kind === 'change') {
    const { committedAt, landedAt, sequence } = event;
    yield* checkName('repository', event.repository, TEXT_LIMITS.repository);
    yield* checkSha('sha', event.sha);
    yield* checkTimes({ committedAt, landedAt }, latest);
    if (
      sequence !== undefined &&
      !(Number.isInteger(sequence) && sequence >= 0)
    ) {
      yield fault('sequence', 'is no whole number from 0');
    }
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
  if (changes.length > MAX_LISTED_CHANGES) {
    yield fault('changes', `lists more than ${MAX_LISTED_CHANGES}`);
  }
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
  // Last: where it defaults to one of the others, the fault is that one's.
  yield* checkTimes({ occurredAt: event.occurredAt }, latest);
}

/**
 * Says what no real event can say: an end before its beginning, a time in the far
 * future or before there was any of this, a name that nothing could be found by.
 *
 * @param options.now - milliseconds since the Unix epoch.
 * @param options.clockSkew - milliseconds that a sender's clock may be ahead.
 * @returns the first fault; undefined where there is none.
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
