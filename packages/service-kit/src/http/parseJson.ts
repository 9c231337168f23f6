import { errorCodes, type FastifyRequest } from 'fastify';
import { InvalidRequestError } from '../errors/ServiceError.ts';
import { receiveBody } from './receiveBody.ts';
import { DEEPEST, tooDeep } from './scanJson.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** U+0000 and halves of surrogate pairs. */
const NOT_TEXT = /\0|\p{Surrogate}/u;
const NOT_TEXT_EACH = new RegExp(NOT_TEXT, 'gu');

/** The same, as JSON escapes them; unescaped they cannot be. */
const MAYBE_NOT_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

type ParserDone = (error: Error | null, body?: unknown) => void;

/** How the routes of a scope take JSON. */
interface JsonOptions {
  /** Takes it packed with gzip too, and asks `config.body.recognize` of its routes. */
  gzip?: boolean;
  /** Besides `application/json`. */
  mediaTypes?: readonly string[];
  /**
   * Whether texts that no database stores are refused, or repaired with U+FFFD: an SDK
   * would drop everything that it sent along with them.
   */
  notText?: 'refuse' | 'repair';
  /** What happens to members that would reach a prototype; they are left out by default. */
  prototypeMembers?: 'remove' | 'error';
}

/**
 * Takes JSON and nothing else, in place of what the scope took so far. A body within its
 * bounds (see {@link BodyBounds}) costs no more than it should: elements and depth are
 * counted while it arrives, before anything is made of it.
 */
export function acceptJson(app: ServiceApp, options: JsonOptions = {}): void {
  const {
    gzip = false,
    mediaTypes = [],
    notText = 'refuse',
    prototypeMembers = 'remove',
  } = options;
  const parse = app.getDefaultJsonParser(prototypeMembers, prototypeMembers);
  app.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, json: string, done: ParserDone) => {
    if (isUnread(request, json === '')) {
      done(null, undefined);
      return;
    }
    request.hasStorableTexts = !MAYBE_NOT_TEXT.test(json);
    parse(request, json, (error, body) => {
      const repairs = notText === 'repair' && !request.hasStorableTexts;
      done(error, !error && repairs ? repaired(body) : body);
    });
  };
  const types = ['application/json', ...mediaTypes];
  app.addContentTypeParser(types, (request, payload, done) => {
    receiveBody(request, payload, { gzip }).then(
      body => read(request, body.toString(), done),
      done,
    );
  });
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (isUnread(request, request.headers['content-length'] === '0')) {
      done(null, undefined);
      return;
    }
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
}

/** Refuses texts that no database stores, in any part of a request and of any media type. */
export function refuseUnstorableTexts(app: ServiceApp): void {
  app.decorateRequest('hasStorableTexts', false);
  app.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    // All that an address holds without percent signs is text.
    if (request.url.includes('%')) {
      assertStorable(request.params);
      assertStorable(request.query);
    }
    if (!request.hasStorableTexts) {
      assertStorable(request.body);
    }
    done();
  });
}

/**
 * Whether nothing is read of a body: nobody takes the request, or it is empty where none
 * is due. Many clients name a type on requests that have no body.
 */
function isUnread(request: FastifyRequest, isEmpty: boolean): boolean {
  return request.is404 || (isEmpty && !request.routeOptions.schema?.body);
}

/** @throws InvalidRequestError naming the text at fault. */
function assertStorable(root: unknown): void {
  const path = pathOfNonText(root, 0);
  if (path) {
    const field = path.join('.') || 'body';
    throw new InvalidRequestError(
      `${field} holds characters that are not text`,
      { field, constraint: 'format' },
    );
  }
}

/** The names that lead to a text that is none; those of members are texts too. */
function pathOfNonText(value: unknown, depth: number): string[] | undefined {
  if (typeof value === 'string') {
    return isText(value) ? undefined : [];
  }
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) {
    return undefined;
  }
  if (depth === DEEPEST) {
    throw tooDeep();
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isText(name)) {
      return [];
    }
    const path = pathOfNonText(member, depth + 1);
    if (path) {
      return [name, ...path];
    }
  }
  return undefined;
}

function isText(value: string): boolean {
  return !NOT_TEXT.test(value);
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(NOT_TEXT_EACH, '\u{fffd}');
  }
  if (value !== null && typeof value === 'object') {
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      members[name] = repaired(members[name]);
    }
  }
  return value;
}
