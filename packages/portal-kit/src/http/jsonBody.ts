import { InputError } from '@backstage/errors';
import { json, RequestHandler } from 'express';
import { NO_OBJECT } from './parse';

/** Group A's limit for a request body. */
const BODY_LIMIT_BYTES = 1024 * 1024;

const requireJson: RequestHandler = (req, _res, next) => {
  // A request without a body is the schema's to judge, which then names the field.
  const empty = req.headers['content-length'] === '0';
  if (!empty && req.is('application/json') === false) {
    next(new InputError('Content-Type must be application/json'));
  } else {
    next();
  }
};

/** Numbers and the like are JSON, but no schema takes one; arrays are the schema's to judge. */
const requireStructure: RequestHandler = (req, _res, next) => {
  const structured = typeof req.body === 'object' && req.body !== null;
  next(structured ? undefined : new InputError(NO_OBJECT));
};

/** Parses a JSON body of at most 1 MiB: 400 for another media type or malformed JSON, 413 beyond the limit. */
export function jsonBody(): RequestHandler[] {
  return [
    requireJson,
    json({ limit: BODY_LIMIT_BYTES, strict: false }),
    requireStructure,
  ];
}
