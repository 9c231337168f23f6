import { InputError } from '@backstage/errors';
import { raw, Request, RequestHandler } from 'express';

/** A push of many commits is large, and batches of events are as well. */
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;

/** Keeps the body as it came, which is what senders sign; 413 beyond 10 MiB. */
export function rawBody(): RequestHandler {
  return raw({ type: () => true, limit: BODY_LIMIT_BYTES });
}

/** The body as text; empty without one. */
export function bodyOf(req: Request): string {
  return Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '';
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

/** What a webhook's body says: all of it, or the field `payload` of a form, as forges send it on request. */
export function messageOf(req: Request): string | undefined {
  const body = bodyOf(req);
  return req.is(FORM)
    ? new URLSearchParams(body).get('payload') ?? undefined
    : body;
}

/**
 * The JSON that a webhook's body says.
 *
 * @throws InputError for another media type or malformed JSON.
 */
export function payloadOf(req: Request): string {
  if (!req.is('application/json') && !req.is(FORM)) {
    throw new InputError(`Content-Type must be application/json or ${FORM}`);
  }
  const message = messageOf(req);
  if (message === undefined) {
    throw new InputError('The form has no field payload');
  }
  parseJson(message);
  return message;
}
