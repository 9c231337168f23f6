import type { BuildSource, Commit } from '../builds/Build.ts';

/** A JSON object that a forge sent. */
export type Payload = Readonly<Record<string, unknown>>;

/** What an event asks to be built: one source for each ref that it names, or why there is none. */
export type EventReading =
  | { kind: 'builds'; sources: EventSource[] }
  | { kind: 'nothing'; reason: string; gone?: Gone }
  /** An event that names no commit: it may still trigger a job that checks nothing out. */
  | { kind: 'other' };

/** A branch that was deleted, or a pull request that was closed. */
export interface Gone {
  ref?: string;
  pullRequest?: number;
}

/** One ref of an event. */
export interface EventSource {
  source: BuildSource;
  /** Name of whoever pushed or opened it, where no commit tells. */
  author?: string;
  /** True where the forge always names ref and commit. */
  isStrict: boolean;
  /** Why nothing can be checked out of it. */
  fault?: string;
}

const MAX_CHANGES = 50;
const MAX_TEXT = 5_000;
const NOT_TEXT = /\0|\p{Surrogate}/gu;

/**
 * Reads the head of a pull or merge request.
 *
 * @param request.refs - where the forge keeps the heads of requests; `*` is the number.
 */
export function readRequest(request: {
  repository: string | undefined;
  number: unknown;
  refs: string;
  sha: unknown;
  base: unknown;
  branch: unknown;
  title: unknown;
  isFork: boolean;
  author: string | undefined;
}): EventReading {
  const { number, author } = request;
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
      },
    },
    { author },
  );
}

/** An event that leads to no build, with the reason for people. */
export function nothing(reason: string, gone?: Gone): EventReading {
  return { kind: 'nothing', reason, ...(gone && { gone }) };
}

/** The end of a branch or tag. */
export function deleted(ref: unknown): EventReading {
  return nothing('The ref was deleted', { ref: textOf(ref) });
}

/** The end of a pull or merge request. */
export function closed(number: unknown): EventReading {
  return nothing(
    'The pull request was closed',
    Number.isSafeInteger(number) ? { pullRequest: number as number } : {},
  );
}

/** An event of one ref. */
export function built(
  source: BuildSource,
  about: Partial<Omit<EventSource, 'source'>> = {},
): EventReading {
  return { kind: 'builds', sources: [{ source, isStrict: true, ...about }] };
}

/** An event of several refs, each built or deleted. */
export function builtAll(
  changes: (EventSource | { gone: Gone })[],
): EventReading {
  const sources = changes.filter(change => 'source' in change);
  if (sources.length > 0) {
    return { kind: 'builds', sources };
  }
  const [first] = changes.filter(change => 'gone' in change);
  return first
    ? nothing('The ref was deleted', first.gone)
    : nothing('The push names no ref');
}

/** A commit as GitHub, GitLab and the contract write it; none where it has no id. */
export function readCommit(commit: unknown): Commit[] {
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

/** The name in `Ada <ada@example.org>`. */
export function nameOf(raw: unknown): string | undefined {
  return textOf(raw)?.split('<')[0].trim();
}

export function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a member is; an empty one where it is none. */
export function objectAt(payload: Payload, member: string): Payload {
  const value = payload[member];
  return isObject(value) ? value : {};
}

/** The objects of the list that a member is. */
export function listAt(payload: Payload, member: string): Payload[] {
  const value = payload[member];
  return Array.isArray(value)
    ? value.slice(0, MAX_CHANGES).filter(isObject)
    : [];
}

/** Payloads come from anywhere: what no database stores is replaced, what is endless cut. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string'
    ? value.slice(0, MAX_TEXT).replace(NOT_TEXT, '\ufffd')
    : undefined;
}
