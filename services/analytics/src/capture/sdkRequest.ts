import {
  InvalidRequestError,
  PayloadTooLargeError,
  isJsonObject,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { bearerOf } from '../projects/Projects.ts';
import { MOST_EVENTS, readInstant } from '../events/AnalyticsEvent.ts';

/** Query parameters that SDKs send. */
export const SdkQuery = Type.Object({
  data: Type.Optional(
    Type.String({ description: 'The body, as JSON or base64-encoded JSON' }),
  ),
  token: Type.Optional(Type.String({ description: 'The project key' })),
  api_key: Type.Optional(Type.String({ description: 'The project key' })),
  compression: Type.Optional(
    Type.String({
      description: 'gzip, gzip-js or base64; also detected automatically',
    }),
  ),
  sent_at: Type.Optional(
    Type.String({ description: "The sender's clock, ISO 8601" }),
  ),
  _: Type.Optional(
    Type.String({ description: "The sender's clock, milliseconds" }),
  ),
  img: Type.Optional(Type.String({ description: '1: respond with a pixel' })),
});

/** The events of an SDK's request, in whichever form they were sent. */
export interface SdkRequest {
  /** The distinct project keys in the request. */
  readonly keys: readonly string[];
  readonly events: readonly unknown[];
  /** Milliseconds on the sender's clock. */
  readonly sentAt: number | undefined;
}

/** All names of the field in which SDKs have sent the project key. */
export const KEY_NAMES = ['api_key', 'token', '$token'] as const;

/**
 * Reads a parsed body: one event, an array of events, or an object with them in `batch`.
 * The key is in the body, or in each event.
 * @throws InvalidRequestError if it is neither an object nor an array, or has no events,
 *   or too many.
 */
export function readSdkRequest(
  body: unknown,
  query: Static<typeof SdkQuery> = {},
): SdkRequest {
  if (!isJsonObject(body) && !Array.isArray(body)) {
    throw new InvalidRequestError(
      'The request must contain an event, an array of events, or an object with a batch',
      { field: 'body', constraint: 'type' },
    );
  }
  const top = isJsonObject(body) ? body : {};
  const events = eventsOf(body);
  if (events.length === 0 || events.length > MOST_EVENTS) {
    throw eventCountError(events.length);
  }
  const key = keyOf(top) ?? keyOf(query);
  return {
    keys: key === undefined ? keysOfEvents(events) : [key],
    events,
    sentAt:
      readInstant(top.sent_at) ??
      readInstant(query.sent_at) ??
      readClock(query._),
  };
}

/** Creates the error for a request without events, or with too many. */
export function eventCountError(events: number): InvalidRequestError {
  return new InvalidRequestError(
    `The request must contain 1 to ${MOST_EVENTS} events`,
    { field: 'batch', constraint: events === 0 ? 'minItems' : 'maxItems' },
  );
}

function eventsOf(
  body: Record<string, unknown> | readonly unknown[],
): readonly unknown[] {
  if (!isJsonObject(body)) {
    return body;
  }
  return Array.isArray(body.batch) ? body.batch : [body];
}

/** Returns the project key in an object, under any of the names that SDKs have used. */
export function keyOf(holder: Record<string, unknown>): string | undefined {
  return KEY_NAMES.map(name => holder[name]).find(
    (key): key is string => typeof key === 'string' && key !== '',
  );
}

function keysOfEvents(events: readonly unknown[]): string[] {
  const keys = events
    .filter(isJsonObject)
    .map(
      event =>
        keyOf(event) ??
        (isJsonObject(event.properties) ? keyOf(event.properties) : undefined),
    );
  return [...new Set(keys)].filter(key => key !== undefined);
}

function readClock(milliseconds: string | undefined): number | undefined {
  return milliseconds !== undefined && /^\d{13}$/.test(milliseconds)
    ? Number(milliseconds)
    : undefined;
}

/** Maximum bytes of a form or base64, which SDKs use to send the last events of a closing page. */
const LONGEST_WRAPPED = 1024 * 1024;

const STARTS_JSON = /^\s*[[{]/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}\s*$/;

/**
 * Finds the JSON or gzip data in a body: as is, as base64, or either of these in the form
 * field `data`.
 * @throws InvalidRequestError if the body has none of these forms.
 * @throws PayloadTooLargeError if it is a form or base64, and is too long.
 */
export function decodeSdkBody(body: Buffer): Buffer {
  // Most bodies are JSON: the parser converts them to text once.
  const start = body.subarray(0, 64).toString();
  if (body.length === 0 || STARTS_JSON.test(start)) {
    return body;
  }
  if (body.length > LONGEST_WRAPPED) {
    throw new PayloadTooLargeError();
  }
  const text = body.toString();
  const [, field] = /(?:^|&)data=([^&]*)/.exec(text) ?? [];
  return decodeSdkText(field === undefined ? text : decodeField(field));
}

/** Decodes a form field, in which a plus sign is a space in JSON and itself in base64. */
function decodeField(field: string): string {
  try {
    const text = decodeURIComponent(field);
    return STARTS_JSON.test(text)
      ? decodeURIComponent(field.replaceAll('+', ' '))
      : text;
  } catch (cause) {
    throw new InvalidRequestError('data is not form-encoded', {
      field: 'data',
      constraint: 'format',
      cause,
    });
  }
}

/** @throws InvalidRequestError if a text is neither JSON nor base64. */
export function decodeSdkText(text: string): Buffer {
  if (STARTS_JSON.test(text)) {
    return Buffer.from(text);
  }
  // An unencoded plus sign arrives as a space.
  const encoded = text.trim().replaceAll(' ', '+');
  if (!BASE64.test(encoded)) {
    throw new InvalidRequestError(
      'The request body is not JSON, gzip, base64 or a form that contains one of them',
      { field: 'body', constraint: 'format' },
    );
  }
  return Buffer.from(encoded, 'base64');
}

/** Decodes the start of the JSON from the start of a body; empty if too little of it is known. */
export function readableStart(start: string): string {
  if (STARTS_JSON.test(start)) {
    return start;
  }
  const [field] = start.replace(/^data=/, '').split('&', 1);
  try {
    // The text may be cut in the middle of an escape sequence.
    const data = decodeURIComponent(field.replace(/%[0-9a-f]?$/i, ''));
    return STARTS_JSON.test(data)
      ? data
      : Buffer.from(data.replaceAll(' ', '+'), 'base64').toString();
  } catch {
    return '';
  }
}

/** Accepts a bearer token as the project key, for SDKs that send their key this way. */
export async function acceptBearer(request: FastifyRequest): Promise<void> {
  request.headers['x-api-key'] ??= bearerOf(request);
}
