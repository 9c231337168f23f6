import {
  actorOf,
  InvalidRequestError,
  isJsonObject,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { FormBody } from './FormBody.ts';

/** The query parameters about the trigger itself; all others are build parameters. */
const TRIGGER_PARAMETERS = new Set(['token', 'delay', 'cause']);

/**
 * Reads the parameters of a request, by name: from a form, from JSON in the contract's
 * format (`{parameter: [{name, value}]}`), and from the query, as some clients send them.
 *
 * @throws InvalidRequestError
 */
export function readGiven(request: {
  body: unknown;
  query: Readonly<Record<string, unknown>>;
}): Map<string, string[]> {
  const given = new Map<string, string[]>();
  const add = (name: string, value: string) => {
    const values = given.get(name);
    if (values) {
      values.push(value);
    } else {
      given.set(name, [value]);
    }
  };
  for (const [name, values] of Object.entries(request.query)) {
    if (!TRIGGER_PARAMETERS.has(name)) {
      [values].flat().forEach(value => add(name, String(value)));
    }
  }
  const { body } = request;
  if (body instanceof FormBody) {
    const json = body.fields.get('json')?.[0];
    const listed = json ? readList(parse(json)) : [];
    listed.forEach(({ name, value }) => add(name, value));
    const names = new Set(listed.map(({ name }) => name));
    for (const [name, values] of body.fields) {
      // Jenkins' own pages and its clients send the same data again as one field.
      const isCopy = name === 'json' || names.has(name);
      (isCopy ? [] : values).forEach(value => add(name, value));
    }
  } else if (body !== undefined && body !== null) {
    readList(body).forEach(({ name, value }) => add(name, value));
  }
  return given;
}

function readList(body: unknown): { name: string; value: string }[] {
  if (!isJsonObject(body)) {
    throw fault('body', 'The body must be an object');
  }
  const { parameter = [] } = body;
  return [parameter].flat().map((element, index) => {
    const { name, value } = (element ?? {}) as {
      name?: unknown;
      value?: unknown;
    };
    if (typeof name !== 'string') {
      throw fault(`parameter.${index}.name`, 'must be a string');
    }
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw fault(`parameter.${index}.value`, 'must be a string');
    }
    return { name, value: String(value) };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fault('json', 'is not valid JSON');
  }
}

function fault(field: string, what: string): InvalidRequestError {
  return new InvalidRequestError(field === 'body' ? what : `${field} ${what}`, {
    field,
    constraint: 'type',
  });
}

const YEAR_S = 31_536_000;

/**
 * Parses `?delay=` to milliseconds: whole seconds, as in the contract, or with the suffix
 * sent by clients of Jenkins (`5sec`).
 *
 * @throws InvalidRequestError
 */
export function readDelay(text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, digits] = /^(\d{1,9})(?:secs?)?$/.exec(text.trim()) ?? [];
  if (digits === undefined || Number(digits) > YEAR_S) {
    throw new InvalidRequestError(
      `delay must be whole seconds, at most ${YEAR_S}`,
      { field: 'delay', constraint: 'type' },
    );
  }
  return Number(digits) * 1_000;
}

/** Returns the idempotency key with which a client retries its request, made unique per client. */
export function nameDelivery(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  return typeof key === 'string' && key !== ''
    ? `${actorOf(request.caller)}:${key}`
    : undefined;
}
