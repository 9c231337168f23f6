import { DeliveryLakeConfig } from '../config';
import { ownRepository } from './foldRecords';
import {
  ChangeEvent,
  DeploymentEvent,
  LakeEvent,
  MAX_LISTED_CHANGES,
  SHA_PATTERN,
  storable,
  TEXT_LIMITS,
} from './LakeEvent';

function storableDeep<T>(value: T): T {
  if (typeof value === 'string') {
    return storable(value) as T;
  }
  if (Array.isArray(value)) {
    return value.map(storableDeep) as T;
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, storableDeep(member)]),
    ) as T;
  }
  return value;
}

function cut(text: string | undefined, limit: number): string | undefined {
  return text === undefined ? undefined : storable(text.slice(0, limit));
}

/** Pages make links of addresses: one that a browser would run (`javascript:`) is none. */
function webAddress(address: string | undefined): string | undefined {
  return address !== undefined && /^https?:\/\//i.test(address)
    ? cut(address, TEXT_LIMITS.url)
    : undefined;
}

/**
 * The name under which the lake keeps a service: an entity ref of a component and
 * its plain name are the same one. `component:default/x` is `x`,
 * `component:shop/x` is `shop/x`.
 */
function serviceName(reported: string): string {
  const ref = /^component:(?:default\/)?(.+)$/i.exec(reported.trim());
  return ref ? ref[1] : reported.trim();
}

/** dev, staging or prod where configuration knows the name, else the name in lower case. */
function environmentName(
  reported: string,
  environments: DeliveryLakeConfig['environments'],
): string {
  const name = reported.trim().toLocaleLowerCase('en-US');
  return environments.get(name) ?? name;
}

/**
 * Brings an event into the form that is kept, wherever it came from: one name for
 * one service, known environments, SHAs in lower case, texts that a database
 * keeps, addresses of web pages alone. Texts that nothing is found by are cut to
 * their limit.
 */
export function normalizeEvent(
  reported: LakeEvent,
  options: Pick<DeliveryLakeConfig, 'environments'>,
): LakeEvent {
  const event = storableDeep(reported);
  const url = webAddress(event.url);
  if (event.kind === 'change') {
    return {
      ...event,
      url,
      sha: event.sha.toLowerCase(),
      message: cut(event.message, TEXT_LIMITS.message),
      author: cut(event.author, TEXT_LIMITS.author),
    };
  }
  const common = {
    url,
    service:
      event.service === undefined ? undefined : serviceName(event.service),
    environment:
      event.environment === undefined
        ? undefined
        : environmentName(event.environment, options.environments),
  };
  if (event.kind === 'incident') {
    const link = event.deployment;
    return {
      ...event,
      ...common,
      title: cut(event.title, TEXT_LIMITS.title),
      severity: cut(event.severity, TEXT_LIMITS.severity),
      deployment: link && { ...link, sha: link.sha?.toLowerCase() },
    };
  }
  return {
    ...event,
    ...common,
    version: cut(event.version, TEXT_LIMITS.version),
    triggeredBy: cut(event.triggeredBy, TEXT_LIMITS.triggeredBy),
    commit: event.commit && {
      ...event.commit,
      sha: event.commit.sha.toLowerCase(),
      message: cut(event.commit.message, TEXT_LIMITS.message),
      author: cut(event.commit.author, TEXT_LIMITS.author),
    },
    changes: event.changes?.map(sha => sha.toLowerCase()),
  };
}

/** Why an event is not believed. */
interface EventFault {
  /** Begins with the field: `finishedAt is before startedAt`. */
  error: string;
  /** Dotted path. */
  field: string;
}

/**
 * The rules of single fields, for the schemas of the wire as well. Each says what a value
 * must be, or undefined where it is that.
 */
export const rules = {
  /** A text that something is found by. */
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

/**
 * The change that a deployment tells of by giving its commit's time.
 *
 * @returns undefined where it gives none, or not whose the commit is.
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
