import { createHash } from 'node:crypto';
import { InputError } from '@backstage/errors';
import {
  deliveryIdOf,
  formPayload,
  HeaderOf,
  Sender,
} from '@slipway/platform-guards';
import { IngestResponse } from '@slipway/plugin-delivery-lake-common';
import { raw, Request, RequestHandler } from 'express';

/** Returns a request's headers by name, without empty ones. */
export function headersOf(req: Request): (name: string) => string | undefined {
  // Gitea sends an empty signature if it has no secret.
  return name => req.get(name) || undefined;
}

/** Maximum size of a body. Pushes of many commits and batches of events are large. */
export const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** Thrown if a body is larger than {@link BODY_LIMIT_BYTES}; mapped to 413. */
export class BodyTooLargeError extends Error {
  readonly name = 'BodyTooLargeError';
  readonly statusCode = 413;

  constructor() {
    super('The request body is too large');
  }
}

/** Reads the raw body, which senders sign; responds with 413 beyond 10 MiB. */
export function rawBody(): RequestHandler {
  return raw({ type: () => true, limit: BODY_LIMIT_BYTES });
}

/** Returns the raw body; empty without one. */
function bytesOf(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** Returns the body as text; empty without one. */
export function bodyOf(req: Request): string {
  return bytesOf(req).toString('utf8');
}

/** Parses a text. @throws InputError if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError('The request body is not valid JSON');
  }
}

const FORM = 'application/x-www-form-urlencoded';

/** Returns the message in a webhook's body: all of it, or the field `payload` of a form. */
export function messageOf(
  req: Request,
  body: Buffer,
): Buffer | string | undefined {
  return isForm(req) ? formPayload(body) : body;
}

/** Returns whether a body is a form, which forges can be configured to send. */
export function isForm(req: Request): boolean {
  return Boolean(req.is(FORM));
}

/**
 * Returns the JSON of a webhook's body, as text and parsed.
 *
 * @throws InputError for another media type or malformed JSON.
 */
export function payloadOf(req: Request): { text: string; payload: unknown } {
  if (!req.is('application/json') && !isForm(req)) {
    throw new InputError(`Content-Type must be application/json or ${FORM}`);
  }
  const text = messageOf(req, bytesOf(req))?.toString();
  if (text === undefined) {
    throw new InputError('The form has no field payload');
  }
  return { text, payload: parseJson(text) };
}

/** Keys and types that fit in the columns of the table of deliveries. */
const PLAIN_KEY = /^[\x20-\x7e]{1,255}$/;
const TYPE_LIMIT = 128;
const SEPARATOR = '#';

/** Returns a key that fits in its column and is unique for texts of any length. */
export function keyOf(...parts: string[]): string {
  const plain = parts.join(SEPARATOR);
  return PLAIN_KEY.test(plain) &&
    !parts.slice(1).some(part => part.includes(SEPARATOR))
    ? plain
    : createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns a type truncated to its column; no type that the lake reads is longer. */
export function storableType(type: string): string {
  return type.slice(0, TYPE_LIMIT);
}

/** Returns the SHA-256 of all parts, in hexadecimal. */
export function digestOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/**
 * Returns the sender's id of a delivery, or a hash of its content.
 *
 * @param options.scope - the scope within which the id is unique: the id of the connection it was
 * sent to, because all webhooks that GitHub calls for one event have the same id but not the same
 * meaning; or the site of a tracker, because each has its own ids.
 */
export function deliveryKey(options: {
  forge: Sender;
  header: HeaderOf;
  rawBody: string;
  scope?: string;
}): string {
  const { forge, header, scope } = options;
  const id = deliveryIdOf(forge, header);
  const key = id ? keyOf(id) : digestOf(options.rawBody);
  return scope === undefined ? key : keyOf(scope, key);
}

/** The response to a webhook delivery. */
export interface DeliveryResponse extends IngestResponse {
  /** Reason why the lake ignored it. */
  ignored?: string;
  /** True if it had already been received. */
  duplicate?: true;
}

/** Returns the response to a delivery. @param ingested - undefined for a known delivery. */
export function deliveryResponse(
  ingested: IngestResponse | undefined,
  ignored?: string,
): DeliveryResponse {
  if (!ingested) {
    return {
      accepted: 0,
      duplicates: 1,
      stale: 0,
      rejected: 0,
      results: [],
      duplicate: true,
    };
  }
  return ignored === undefined ? ingested : { ...ingested, ignored };
}
