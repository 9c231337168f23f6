import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { InvalidRequestError, ServiceError } from '../errors/ServiceError.ts';
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
  /** Besides `application/json`; `any` also without one. */
  mediaTypes?: readonly string[] | 'any';
  /**
   * Whether what no database stores is refused, or repaired by {@link repairJson}: an SDK
   * would drop everything that it sent along with it.
   */
  faults?: 'refuse' | 'repair';
  /**
   * Finds the JSON in a body that is unpacked, and returns one that is JSON as it is. What
   * it finds may again be packed with gzip.
   */
  decode?: (request: FastifyRequest, body: Buffer) => Buffer;
  /** The status of a body of another media type: 400 by default. */
  otherMediaTypes?: 400 | 415;
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
    faults = 'refuse',
    otherMediaTypes = 400,
    prototypeMembers = 'remove',
    decode,
  } = options;
  const repairs = faults === 'repair';
  const parse = app.getDefaultJsonParser(prototypeMembers, prototypeMembers);
  app.removeAllContentTypeParsers();
  const read = (
    request: FastifyRequest,
    { json, depth }: { json: string; depth: number },
    done: ParserDone,
  ) => {
    if (isUnread(request, json === '')) {
      done(null, undefined);
      return;
    }
    const isStorable = !MAYBE_NOT_TEXT.test(json);
    request.hasStorableTexts = isStorable || repairs;
    parse(request, json, (error, body) => {
      const needsRepair = repairs && (!isStorable || depth > DEEPEST);
      done(error, !error && needsRepair ? repairJson(body) : body);
    });
  };
  const receive = (
    request: FastifyRequest,
    payload: Readable,
    done: ParserDone,
  ) => {
    receiveBody(request, payload, { gzip, anyDepth: repairs, decode }).then(
      ({ json, depth }) =>
        read(request, { json: json.toString(), depth }, done),
      done,
    );
  };
  if (mediaTypes === 'any') {
    app.addContentTypeParser('*', receive);
    return;
  }
  app.addContentTypeParser(['application/json', ...mediaTypes], receive);
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (isUnread(request, request.headers['content-length'] === '0')) {
      done(null, undefined);
      return;
    }
    done(
      otherMediaTypes === 415
        ? new ServiceError(
            'unsupportedMediaType',
            'The Content-Type of the request must be application/json',
          )
        : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(),
    );
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
    throw new InvalidRequestError(`${field} contains invalid characters`, {
      field,
      constraint: 'format',
    });
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

/** What stands for objects and arrays that are nested too deeply. */
const TOO_DEEP = '[nested too deeply]';

/**
 * Copies a value of JSON so that every database stores it: in texts and names U+FFFD stands
 * for what is no text, and a text for what is nested too deeply.
 */
export function repairJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    return repairText(value);
  }
  if (value === null || typeof value !== 'object') {
    return value;
  }
  if (depth === DEEPEST) {
    return TOO_DEEP;
  }
  if (Array.isArray(value)) {
    return value.map(each => repairJson(each, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      repairText(name),
      repairJson(member, depth + 1),
    ]),
  );
}

function repairText(text: string): string {
  return text.replace(NOT_TEXT_EACH, '\u{fffd}');
}
