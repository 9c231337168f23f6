import type { BuildSource, Commit } from '../builds/Build.ts';

const MAX_COMMITS = 200;
const MAX_TEXT = 5_000;
const ZEROS = /^0{40,64}$/;
const NOT_TEXT = /\0|\p{Surrogate}/gu;

/** A JSON object that a forge sent. */
export type Payload = Readonly<Record<string, unknown>>;

/** What is built of a push. Every field may be missing: any object is a payload. */
export function sourceOf(payload: Payload): BuildSource {
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

/** Whether a push deleted what it pushed to: there is nothing to build. */
export function isDeletion(payload: Payload): boolean {
  return (
    payload.deleted === true ||
    (typeof payload.after === 'string' && ZEROS.test(payload.after))
  );
}

/** The value at a dotted path, as text; undefined for what is none. */
export function valueAt(payload: Payload, path: string): string | undefined {
  let value: unknown = payload;
  for (const name of path.split('.')) {
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
