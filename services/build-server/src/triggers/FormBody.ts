import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';

const MAX_FIELDS = 1_000;
const NOT_TEXT = /\0|\p{Surrogate}/u;

/** The fields of a form, in the order in which they were sent. */
export class FormBody {
  readonly fields: ReadonlyMap<string, readonly string[]>;

  constructor(fields: ReadonlyMap<string, readonly string[]>) {
    this.fields = fields;
  }
}

/** Lets routes take forms beside JSON. */
export function acceptForms(app: ServiceApp): void {
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

/** @throws InvalidRequestError */
function readForm(text: string): FormBody {
  const fields = new Map<string, string[]>();
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
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
