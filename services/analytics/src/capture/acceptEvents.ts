import type { FastifyRequest } from 'fastify';
import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import { unpackBody } from './unpackBody.ts';

/** U+0000 and halves of surrogate pairs, as JSON escapes them. */
const MAYBE_NOT_TEXT = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Has the routes of a scope take JSON that may be packed.
 *
 * @param options.mediaTypes - besides `application/json`.
 * @param options.repairs - whether texts that no database keeps are repaired instead of
 *   refused: an SDK would drop everything it sent along with them.
 */
export function acceptEvents(
  app: ServiceApp,
  options: { mediaTypes?: readonly string[]; repairs: boolean },
): void {
  const { mediaTypes = [], repairs } = options;
  const parse = app.getDefaultJsonParser(
    repairs ? 'remove' : 'error',
    repairs ? 'remove' : 'error',
  );
  const parseAsync = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      parse(request, text, (error, body) =>
        error ? reject(error) : resolve(body),
      );
    });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    ['application/json', ...mediaTypes],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, raw: Buffer) => {
      const body = await unpackBody(raw, {
        encoding: request.headers['content-encoding'],
        limit: request.routeOptions.bodyLimit ?? raw.length,
      });
      const text = body.toString();
      const parsed = await parseAsync(request, text);
      if (
        parsed === null ||
        typeof parsed !== 'object' ||
        Array.isArray(parsed)
      ) {
        throw new InvalidRequestError('The request body must be an object', {
          field: 'body',
          constraint: 'type',
        });
      }
      return repairs && MAYBE_NOT_TEXT.test(text) ? repaired(parsed) : parsed;
    },
  );
}

function repaired(parsed: object): unknown {
  return JSON.parse(JSON.stringify(parsed), (_key, value: unknown) =>
    typeof value === 'string'
      ? value.replace(/\0|\p{Surrogate}/gu, '\u{fffd}')
      : value,
  );
}
