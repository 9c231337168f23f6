import { errorCodes, type FastifyRequest } from 'fastify';
import { InvalidRequestError } from '../errors/index.ts';
import type { ServiceApp } from './ServiceApp.ts';

const DEEPEST = 64;

/** U+0000 and halves of surrogate pairs. */
const NOT_TEXT = /\0|\p{Surrogate}/u;

/**
 * Takes JSON and nothing else, and refuses texts that no database stores (U+0000, half
 * of a surrogate pair) and nesting that no recursion survives: caught here, they are a
 * 400 and not an error of whatever they reach.
 */
export function acceptJson(app: ServiceApp): void {
  // Members that would reach a prototype are unknown fields, and as such left out.
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (isUnread(request, body === '')) {
        done(null, undefined);
        return;
      }
      parse(request, body, done);
    },
  );
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (isUnread(request, request.headers['content-length'] === '0')) {
      done(null, undefined);
      return;
    }
    done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE());
  });
  app.addHook('preValidation', (request: FastifyRequest, _reply, done) => {
    // All that an address holds without percent signs is text.
    if (request.url.includes('%')) {
      assertStorable(request.params, '');
      assertStorable(request.query, '');
    }
    assertStorable(request.body, '');
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
function assertStorable(root: unknown, rootPath: string): void {
  if (root === undefined) {
    return;
  }
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: rootPath, depth: 0 },
  ];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      assertText(value, path);
    } else if (
      value !== null &&
      typeof value === 'object' &&
      !Buffer.isBuffer(value)
    ) {
      if (depth === DEEPEST) {
        throw new InvalidRequestError('The request body is nested too deeply', {
          field: path.split('.')[0],
          constraint: 'depth',
        });
      }
      for (const [name, member] of Object.entries(value)) {
        const memberPath = path ? `${path}.${name}` : name;
        assertText(name, path || 'body');
        open.push({ value: member, path: memberPath, depth: depth + 1 });
      }
    }
  }
}

function assertText(text: string, path: string): void {
  if (NOT_TEXT.test(text)) {
    const field = path || 'body';
    throw new InvalidRequestError(
      `${field} holds characters that are not text`,
      {
        field,
        constraint: 'format',
      },
    );
  }
}
