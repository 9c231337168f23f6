import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';
import { InvalidRequestError, ServiceError } from '../errors/ServiceError.ts';
import { receiveBody } from './receiveBody.ts';
import { DEEPEST, tooDeep } from './scanJson.ts';
import type { ServiceApp } from './ServiceApp.ts';

/** Matches U+0000 and lone surrogates. */
const NOT_TEXT = /\0|\p{Surrogate}/u;
const NOT_TEXT_EACH = new RegExp(NOT_TEXT, 'gu');

/** Matches the same characters as JSON escapes, the only form in which they can occur. */
const MAYBE_NOT_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

type ParserDone = (error: Error | null, body?: unknown) => void;

/** JSON parsing options for the routes of a scope. */
interface JsonOptions {
  /** Also accepts gzipped JSON, and calls `config.body.recognize` of its routes. */
  gzip?: boolean;
  /** Media types accepted besides `application/json`; `any` also accepts a missing one. */
  mediaTypes?: readonly string[] | 'any';
  /**
   * Whether strings that databases cannot store are rejected, or repaired by {@link repairJson}.
   * SDKs send many events in one body, and a rejection would lose all of them.
   */
  faults?: 'refuse' | 'repair';
  /**
   * Extracts the JSON from an unpacked body; returns a body that is already JSON unchanged. The
   * result may be gzipped again.
   */
  decode?: (request: FastifyRequest, body: Buffer) => Buffer;
  /** The status for a body with another media type: 400 by default. */
  otherMediaTypes?: 400 | 415;
  /** Handling of members that could pollute a prototype; removed by default. */
  prototypeMembers?: 'remove' | 'error';
}

/**
 * Replaces the scope's content type parsers with one that only accepts JSON. Elements and depth of
 * a body are counted while it arrives and before it is parsed, so that the cost of a body within
 * the limits is bounded (see {@link BodyBounds}).
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

/** Rejects strings that no database can store, in any part of a request and any media type. */
export function refuseUnstorableTexts(app: ServiceApp): void {
  app.decorateRequest('hasStorableTexts', false);
  app.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    // A URL without percent signs cannot contain such characters.
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
 * Checks whether a body is not parsed: because no route matches, or because it is empty and the
 * route expects none. Many clients send a content type even without a body.
 */
function isUnread(request: FastifyRequest, isEmpty: boolean): boolean {
  return request.is404 || (isEmpty && !request.routeOptions.schema?.body);
}

/**
 * Checks all strings of a value.
 *
 * @throws InvalidRequestError naming the invalid string.
 */
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

/** Returns the path to a string that cannot be stored, or undefined; checks member names too. */
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

/** Replaces objects and arrays that are nested too deeply. */
const TOO_DEEP = '[nested too deeply]';

/**
 * Copies a JSON value so that every database can store it: in strings and member names, U+FFFD
 * replaces invalid characters, and a fixed string replaces values that are nested too deeply.
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
