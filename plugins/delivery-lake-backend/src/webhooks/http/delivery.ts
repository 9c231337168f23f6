import { createHash } from 'node:crypto';
import { InputError } from '@backstage/errors';
import { deliveryIdOf, Forge, HeaderOf } from '@slipway/platform-guards';
import { IngestResponse } from '@slipway/plugin-delivery-lake-common';
import { raw, Request, RequestHandler } from 'express';

/** A request's headers by name; an empty one is missing. */
export function headersOf(req: Request): (name: string) => string | undefined {
  // Gitea sends its signature empty where there is no secret.
  return name => req.get(name) || undefined;
}

/** A push of many commits is large, and batches of events are as well. */
export const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** A body is larger than {@link BODY_LIMIT_BYTES}; answered with 413. */
export class BodyTooLargeError extends Error {
  readonly name = 'BodyTooLargeError';
  readonly statusCode = 413;

  constructor() {
    super('The request body is too large');
  }
}

/** Keeps the body as it came, which is what senders sign; 413 beyond 10 MiB. */
export function rawBody(): RequestHandler {
  return raw({ type: () => true, limit: BODY_LIMIT_BYTES });
}

/** The body as it came; empty without one. */
function bytesOf(req: Request): Buffer {
  return Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
}

/** The body as text; empty without one. */
export function bodyOf(req: Request): string {
  return bytesOf(req).toString('utf8');
}

/** @throws InputError when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InputError('The request body is not valid JSON');
  }
}

const FORM = 'application/x-www-form-urlencoded';
const PAYLOAD = Buffer.from('payload=');

/** What a webhook's body says: all of it, or the field `payload` of a form. */
export function messageOf(
  req: Request,
  body: Buffer,
): Buffer | string | undefined {
  return isForm(req) ? formPayload(body) : body;
}

/** Tells whether the media type of a body is that of a form, as forges send on request. */
export function isForm(req: Request): boolean {
  return Boolean(req.is(FORM));
}

/** Decodes one field alone: forms of a million others come from anybody. */
function formPayload(form: Buffer): string | undefined {
  const isFirst = form.subarray(0, PAYLOAD.length).equals(PAYLOAD);
  const begin = isFirst ? 0 : form.indexOf(`&${PAYLOAD}`) + 1;
  if (begin === 0 && !isFirst) {
    return undefined;
  }
  const end = form.indexOf('&', begin);
  const field = form.subarray(begin, end === -1 ? form.length : end);
  return new URLSearchParams(field.toString()).get('payload') ?? undefined;
}

/**
 * The JSON that a webhook's body says.
 *
 * @throws InputError for another media type or malformed JSON.
 */
export function payloadOf(req: Request): string {
  if (!req.is('application/json') && !isForm(req)) {
    throw new InputError(`Content-Type must be application/json or ${FORM}`);
  }
  const message = messageOf(req, bytesOf(req))?.toString();
  if (message === undefined) {
    throw new InputError('The form has no field payload');
  }
  parseJson(message);
  return message;
}

/** What the lake's table of deliveries takes as a key and as a type. */
const PLAIN_KEY = /^[\x20-\x7e]{1,255}$/;
const TYPE_LIMIT = 128;
const SEPARATOR = '#';

/** A key that fits, of texts of any length; other texts, another key. */
export function keyOf(...parts: string[]): string {
  const plain = parts.join(SEPARATOR);
  return PLAIN_KEY.test(plain) &&
    !parts.slice(1).some(part => part.includes(SEPARATOR))
    ? plain
    : createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** A type that fits: what is longer is none that the lake reads. */
export function storableType(type: string): string {
  return type.slice(0, TYPE_LIMIT);
}

/** SHA-256 of all parts, in hex. */
export function digestOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** The forge's id of a delivery; without one, what it says is what it is. */
export function deliveryKey(options: {
  forge: Forge;
  header: HeaderOf;
  rawBody: string;
}): string {
  const { forge, header } = options;
  const id = deliveryIdOf(forge, header);
  return id ? keyOf(id) : digestOf(options.rawBody);
}

/** What a sender of webhooks is told. */
export interface DeliveryResponse extends IngestResponse {
  /** Why it meant nothing to the lake. */
  ignored?: string;
  /** It was known already. */
  duplicate?: true;
}

/** @param taken - undefined for a delivery that was known. */
export function deliveryResponse(
  taken: IngestResponse | undefined,
  ignored?: string,
): DeliveryResponse {
  if (!taken) {
    return {
      accepted: 0,
      duplicates: 1,
      stale: 0,
      rejected: 0,
      results: [],
      duplicate: true,
    };
  }
  return ignored === undefined ? taken : { ...taken, ignored };
}
