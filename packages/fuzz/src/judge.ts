import type { Answer } from './http/AnswerReader.ts';
import type { HostileRequest, NoAnswer } from './http/Connection.ts';
import type { Route } from './routes/Route.ts';

/** The format of a part's errors; `pages` for pages with any content. */
export type ErrorFormat =
  | 'pages'
  | {
      /** Names of the members. */
      ours: readonly string[];
      /** Names of the members in Backstage's own errors. */
      theirs?: readonly string[];
    };

/**
 * Servers do not read the rest of a larger head, or of a body that was already rejected. A sender
 * that continues writing may see the connection close before the response.
 */
const LARGEST_HEAD = 16_384;
const LARGEST_BODY = 65_536;

/** No response may contain a stack trace, whatever was stored before. */
const STACK = /\n {1,8}at [^\n]{1,200}:\d+:|\\n {1,8}at /;

/**
 * Words that reveal implementation details. An error may repeat what the request itself contained.
 */
const INTERNALS: readonly RegExp[] = [
  /node_modules|node:internal|\.(?:ts|mjs|cjs):\d+/,
  // Unleash's own name for a wrong content type is ContentTypeError.
  /\b(?:Type|Reference|Range|Syntax|Assertion|Unhandled)Error/,
  /Cannot (?:read|set|convert|destructure|mix)|is not (?:a function|iterable|defined)|\[object Object\]/,
  /SQLITE_|sqlite|SqliteError|knex|PG::|relation "|violates|syntax error at|no such (?:table|column)/,
  /(?:select \*|from|insert into|update) [`"]\w/i,
  /E(?:CONNREFUSED|NOENT|ACCES|ISDIR|NOTDIR|NAMETOOLONG|CONNRESET|PIPE|MFILE)\b/,
  /FST_ERR|HPE_|ERR_[A-Z]+_/,
  /\/(?:home|root|work|tmp|usr|var)\/[\w-]+/,
  /Unexpected (?:token|end|non-whitespace)|in JSON at position/,
];

/** Returns the problems with a response; empty if there are none. */
export function judge(
  request: HostileRequest,
  answer: Answer | NoAnswer,
  context: { route: Route; errors: ErrorFormat; secrets: readonly string[] },
): string[] {
  if (typeof answer === 'string') {
    return answer === 'closed' && mayBeClosed(request)
      ? []
      : [`no answer: ${answer}`];
  }
  const { route, errors, secrets } = context;
  const text = answer.body.toString();
  const { status } = answer;
  const isUnavailable =
    status === 503 && (route.statuses.has(503) || errors === 'pages');
  const isTheirs = errors !== 'pages' && isOf(answer, errors.theirs);
  return [
    ...(status >= 500 && !isUnavailable ? [`status ${status}`] : []),
    ...(status >= 400 ? faultsOfError(request, answer, errors) : []),
    ...leaksOf(request, text, [
      STACK,
      ...secrets,
      ...(status >= 400 && !isTheirs ? INTERNALS : []),
    ]),
  ];
}

/** Returns the problems with the format of an error: its content type and its members. */
function faultsOfError(
  { method }: HostileRequest,
  answer: Answer,
  errors: ErrorFormat,
): string[] {
  const { status, headers } = answer;
  if (method === 'HEAD' || errors === 'pages') {
    return [];
  }
  const type = headers['content-type'];
  if (!type?.startsWith('application/json')) {
    return [`error ${status} of the type ${type}`];
  }
  return isOf(answer, errors.ours) || isOf(answer, errors.theirs)
    ? []
    : [`error ${status} with the members ${membersOf(answer)}`];
}

/** Checks whether a body is an object with exactly these members. */
function isOf(answer: Answer, format: readonly string[] | undefined): boolean {
  const members = membersOf(answer);
  return (
    format?.length === members.length &&
    format.every(name => members.includes(name))
  );
}

function membersOf({ body }: Answer): string[] {
  try {
    return Object.keys(JSON.parse(body.toString()) as object);
  } catch {
    return [];
  }
}

/**
 * Returns the words in a response that must not be there, unless the request itself contained them.
 */
function leaksOf(
  request: HostileRequest,
  text: string,
  leaks: readonly (string | RegExp)[],
): string[] {
  const found = leaks.flatMap(leak => {
    const word = leak instanceof RegExp ? leak.exec(text)?.[0] : leak;
    return word !== undefined && text.includes(word) ? [word] : [];
  });
  if (found.length === 0) {
    return [];
  }
  const sent = everythingSent(request);
  return found
    .filter(leak => !sent.includes(leak))
    .map(leak => `leak: ${leak.slice(0, 120)}`);
}

/**
 * Checks whether the connection may close without a response: if the sender closes it, or sends
 * more than is read.
 */
function mayBeClosed(request: HostileRequest): boolean {
  const { target, headers, body, cutAt } = request;
  const head = [target, ...headers.flat()].join('').length;
  return (
    cutAt !== undefined ||
    head > LARGEST_HEAD ||
    (body !== undefined && body.length > LARGEST_BODY)
  );
}

/** Returns the text of a request, with its path also decoded. */
function everythingSent({ target, headers, body }: HostileRequest): string {
  return [
    target,
    decode(target),
    ...headers.flat(),
    body?.toString() ?? '',
  ].join('\n');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
