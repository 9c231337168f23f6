import { isJsonObject, looksLikeActor } from '@slipway/service-kit';
import type { BuildSource, Commit } from '../builds/Build.ts';
import type { Job } from '../jobs/Job.ts';
import { isCommit } from '../jobs/repository.ts';

/** A JSON object sent by a forge. */
export type Payload = Readonly<Record<string, unknown>>;

/** Sources to build for an event: one for each of its refs, or why there is none. */
export type EventReading =
  | { kind: 'builds'; sources: EventSource[]; gone?: readonly Gone[] }
  | { kind: 'nothing'; reason: string; gone?: readonly Gone[] }
  /** An event without a commit: it may still trigger a job without a checkout. */
  | { kind: 'other' };

/** A deleted branch, or a closed pull request. */
export interface Gone {
  ref?: string;
  pullRequest?: number;
}

/** The message of the commit to build. */
export interface Head {
  /** Its first line. */
  title: string;
  /** True if it says not to build the commit. */
  isSkipped: boolean;
}

/** One ref of an event. */
export interface EventSource {
  source: BuildSource;
  /** undefined if the event does not contain the message. */
  head?: Head;
  /** Name of the author of the push or request, if no commit contains it. */
  author?: string;
  /** True if the forge always sends ref and commit. */
  isStrict: boolean;
  /** Reason why it cannot be checked out. */
  fault?: string;
}

const MAX_CHANGES = 50;
const MAX_TEXT = 5_000;
const MAX_ADDRESS = 1_000;
const MAX_TITLE = 200;
/** Matches a request to skip CI, as GitLab and GitHub write it, or with hyphens, as GitLab and Buildkite do. */
const SKIP = /\[(?:skip[ _-]ci|ci[ _-]skip)\]/i;
const NOT_TEXT = /\0|\p{Surrogate}/gu;

/**
 * Reads the head of a pull or merge request.
 *
 * @param request.refs - the refs of the heads of requests at the forge; `*` is the
 * number.
 * @param request.fork - full name of the fork, if only that has its commits.
 * @param request.fault - reason why it cannot be checked out.
 */
export function readRequest(request: {
  repository: string | undefined;
  number: unknown;
  refs: string;
  sha: unknown;
  base: unknown;
  branch: unknown;
  title: unknown;
  url: unknown;
  isFork: boolean;
  author: string | undefined;
  /** The message of the head, if the forge sends it. */
  message?: unknown;
  fork?: string;
  fault?: string;
}): EventReading {
  const { number, author, fork, fault } = request;
  if (!Number.isSafeInteger(number) || (number as number) < 1) {
    return nothing('The event names no pull request');
  }
  return built(
    {
      repository: request.repository,
      ref: request.refs.replace('*', String(number)),
      after: textOf(request.sha),
      commits: [],
      pullRequest: {
        number: number as number,
        isFork: request.isFork,
        base: textOf(request.base),
        branch: textOf(request.branch),
        title: textOf(request.title)?.slice(0, 500),
        url: webAddressOf(request.url),
        ...(fork !== undefined && { fork }),
      },
    },
    {
      author,
      head: headOf(request.message),
      ...(fault !== undefined && { fault }),
    },
  );
}

/** Reads the message of a commit; undefined if there is none. */
export function headOf(message: unknown): Head | undefined {
  if (typeof message !== 'string') {
    return undefined;
  }
  const [title = ''] = message.trim().split('\n', 1);
  return {
    title: textOf(title.trim().slice(0, MAX_TITLE))!,
    isSkipped: SKIP.test(message),
  };
}

/** Creates the result for an event without a build, with the reason for people. */
export function nothing(
  reason: string,
  gone: readonly Gone[] = [],
): EventReading {
  return { kind: 'nothing', reason, gone };
}

/** Creates the result for a deleted branch or tag. */
export function deleted(ref: unknown): EventReading {
  return nothing('The ref was deleted', [{ ref: textOf(ref) }]);
}

/** Creates the result for a closed pull or merge request. */
export function closed(number: unknown): EventReading {
  return nothing(
    'The pull request was closed',
    Number.isSafeInteger(number) ? [{ pullRequest: number as number }] : [],
  );
}

/** Creates the result for an event of one ref. */
export function built(
  source: BuildSource,
  about: Partial<Omit<EventSource, 'source'>> = {},
): EventReading {
  return { kind: 'builds', sources: [{ source, isStrict: true, ...about }] };
}

/** Creates the result for an event of several refs, each built or deleted. */
export function builtAll(
  changes: (EventSource | { gone: Gone })[],
): EventReading {
  const sources = changes.filter(change => 'source' in change);
  const gone = changes.flatMap(change => ('gone' in change ? change.gone : []));
  if (sources.length > 0) {
    return { kind: 'builds', sources, gone };
  }
  return gone.length > 0
    ? nothing('The ref was deleted', gone)
    : nothing('The push names no ref');
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

/** Returns the author of the newest commit. The name is not verified and must not look like a user's. */
export function authorOf({ source, author }: EventSource): string | undefined {
  const name = source.commits.at(-1)?.author || author || undefined;
  return name && looksLikeActor(name) ? `git:${name}` : name;
}

/** Reads a commit in the format of GitHub, GitLab and the contract; empty without an id. */
export function readCommit(commit: unknown): Commit[] {
  const { id, message, author } = (commit ?? {}) as {
    id?: unknown;
    message?: unknown;
    author?: { name?: unknown; email?: unknown } | null;
  };
  const email = textOf(author?.email);
  return typeof id === 'string'
    ? [
        {
          id: textOf(id)!,
          message: textOf(message) ?? '',
          author: textOf(author?.name) ?? '',
          ...(email !== undefined && { email }),
        },
      ]
    : [];
}

/** Returns a web address that is safe to link to. */
function webAddressOf(value: unknown): string | undefined {
  const text = textOf(value);
  const isOfWeb = text !== undefined && /^https?:$/.test(protocolOf(text));
  return isOfWeb && text.length <= MAX_ADDRESS ? text : undefined;
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** Returns the name in `Ada <ada@example.org>`. */
export function nameOf(raw: unknown): string | undefined {
  return textOf(raw)?.split('<')[0].trim();
}

/** Returns the address in `Ada <ada@example.org>`. */
export function emailOf(raw: unknown): string | undefined {
  return textOf(raw)?.split('<')[1]?.split('>')[0].trim();
}

/** Returns the object at a key; an empty one if it is not an object. */
export function objectAt(payload: Payload, member: string): Payload {
  const value = payload[member];
  return isJsonObject(value) ? value : {};
}

/** Returns the objects in the list at a key. */
export function listAt(payload: Payload, member: string): Payload[] {
  const value = payload[member];
  return Array.isArray(value)
    ? value.slice(0, MAX_CHANGES).filter(isJsonObject)
    : [];
}

/** Cleans untrusted text: replaces characters that databases cannot store, and limits the length. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value.slice(0, MAX_TEXT).replace(NOT_TEXT, '\ufffd')
    : undefined;
}

/** Reads the parameters of a job that are taken from the payload, by name. */
export function parametersIn(
  payload: Payload,
  { parameters = [] }: Pick<Job, 'parameters'>,
): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const { name, payload: at } of parameters) {
    const value = at === undefined ? undefined : valueAt(payload, at);
    if (value !== undefined) {
      given.set(name, [value]);
    }
  }
  return given;
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
