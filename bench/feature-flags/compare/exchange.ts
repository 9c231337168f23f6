import { type Dispatcher, request } from 'undici';
import { TOKENS } from '../servers.ts';
import type { Case, Sender } from './Case.ts';

const TIMEOUT_MS = 30_000;

/** A response, without values that differ between any two servers. */
export interface Answer {
  readonly status: number;
  readonly headers: { readonly etag: boolean; readonly type: string };
  readonly body: unknown;
}

/** Values for later requests, and the ETag of the latest response that had one. */
export type Kept = Map<string, unknown>;

/** Sends a request to one of the servers. */
export async function exchange(
  url: string,
  { send, as = 'admin', body, headers, keep = {} }: Case,
  kept: Kept,
): Promise<Answer> {
  const [method, path] = send.split(' ', 2);
  // Not fetch, which disables caching when If-None-Match is set.
  const response = await request(`${url}${fill(path, kept)}`, {
    method: method as Dispatcher.HttpMethod,
    headers: {
      ...tokenOf(as),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(headers ?? {}).map(([name, value]) => [
          name,
          fill(value, kept),
        ]),
      ),
    },
    ...(body !== undefined && {
      body:
        typeof body === 'string' ? body : JSON.stringify(fillBody(body, kept)),
    }),
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  const text = await response.body.text();
  const type = String(response.headers['content-type'] ?? 'none').split(';')[0];
  const parsed: unknown =
    type.endsWith('json') && text ? JSON.parse(text) : text;
  for (const [name, place] of Object.entries(keep)) {
    kept.set(name, valueAt(parsed, place));
  }
  const { etag } = response.headers;
  kept.set('etag', etag ?? kept.get('etag'));
  return {
    status: response.statusCode,
    headers: { etag: etag !== undefined, type: text ? type : 'none' },
    body: normalise(parsed),
  };
}

function tokenOf(sender: Sender): { authorization?: string } {
  return sender === 'nobody' ? {} : { authorization: TOKENS[sender] };
}

/** Replaces each `{name}` by the value kept under this name. */
function fill(text: string, kept: Kept): string {
  return text.replaceAll(/\{(\w{1,40})\}/g, (whole, name: string) =>
    kept.has(name) ? String(kept.get(name)) : whole,
  );
}

/**
 * Returns a JSON value in which each `{name}` in a string is replaced by the value kept under this
 * name.
 */
function fillBody(body: unknown, kept: Kept): unknown {
  if (typeof body === 'string') {
    const name = /^\{(\w{1,40})\}$/.exec(body)?.[1];
    return name !== undefined && kept.has(name) ? kept.get(name) : body;
  }
  if (Array.isArray(body)) {
    return body.map(each => fillBody(each, kept));
  }
  if (typeof body === 'object' && body !== null) {
    return Object.fromEntries(
      Object.entries(body).map(([key, value]) => [key, fillBody(value, kept)]),
    );
  }
  return body;
}

/** Returns the value at a path of member names separated by dots. */
function valueAt(body: unknown, place: string): unknown {
  return place
    .split('.')
    .reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      body,
    );
}

/** Members of which only the presence is compared, because each server generates its own values. */
const OWN = new Set([
  'id',
  'createdAt',
  'updatedAt',
  'lastSeenAt',
  'seenAt',
  'lastSeen',
  'enteredStageAt',
  'lastUpdatedAt',
  'startedAt',
  'secret',
  'alias',
  'etag',
  'queryHash',
  'revisionId',
  'eventId',
  'timestamp',
]);

/** Lists whose order is significant. */
const ORDERED = new Set(['strategies', 'constraints', 'variants']);

/** Members by which all other lists are sorted before comparison. */
const NAMES = ['name', 'tokenName', 'username', 'value', 'contextName'];

/** Replaces values that each server generates, and sorts lists whose order is not significant. */
function normalise(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => normalise(item));
    return ORDERED.has(key)
      ? items
      : items.toSorted((one, other) =>
          nameOf(one).localeCompare(nameOf(other)),
        );
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        OWN.has(name) &&
        (typeof member === 'string' || typeof member === 'number')
          ? '(own)'
          : normalise(member, name),
      ]),
    );
  }
  return value;
}

function nameOf(item: unknown): string {
  if (typeof item !== 'object' || item === null) {
    return String(item);
  }
  const named = item as Record<string, unknown>;
  const name = NAMES.find(each => typeof named[each] === 'string');
  return name === undefined ? '' : String(named[name]);
}
