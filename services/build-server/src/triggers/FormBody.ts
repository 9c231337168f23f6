import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';

const MAX_FIELDS = 1_000;
const NOT_TEXT = /\0|\p{Surrogate}/u;

/** The fields of a form, in order. */
export class FormBody {
  readonly fields: ReadonlyMap<string, readonly string[]>;

  constructor(fields: ReadonlyMap<string, readonly string[]>) {
    this.fields = fields;
  }
}

/** Accepts forms in addition to JSON, in both encodings. */
export function acceptForms(app: ServiceApp): void {
  app.addContentTypeParser<Buffer>(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      readMultipart(request.headers['content-type'] ?? '', body),
  );
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, readForm(body));
      } catch (error) {
        done(error as Error);
      }
    },
  );
}

/** @throws InvalidRequestError also for a file: builds accept only text. */
async function readMultipart(type: string, body: Buffer): Promise<FormBody> {
  let entries: [string, string | File][];
  try {
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': type },
    }).formData();
    entries = [...form] as [string, string | File][];
  } catch {
    throw new InvalidRequestError('The request body is not a valid form', {
      field: 'body',
      constraint: 'format',
    });
  }
  return readFields(
    entries.map(([name, value]) => {
      if (typeof value !== 'string') {
        throw new InvalidRequestError(`${name} must be a text, not a file`, {
          field: name,
          constraint: 'type',
        });
      }
      return [name, value];
    }),
  );
}

/** @throws InvalidRequestError */
function readForm(text: string): FormBody {
  return readFields(new URLSearchParams(text));
}

/** @throws InvalidRequestError */
function readFields(entries: Iterable<[string, string]>): FormBody {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of entries) {
    count += 1;
    if (count > MAX_FIELDS) {
      throw new InvalidRequestError('The form has too many fields', {
        field: 'body',
        constraint: 'maxItems',
      });
    }
    if (NOT_TEXT.test(name) || NOT_TEXT.test(value)) {
      throw new InvalidRequestError('The form contains invalid characters', {
        field: 'body',
        constraint: 'format',
      });
    }
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return new FormBody(fields);
}
