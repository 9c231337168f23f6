import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { leavingOutNulls } from './leaveOutNulls.ts';

// A CommonJS module whose types say that it is an ES module.
const addFormats =
  addFormatsModule as unknown as typeof addFormatsModule.default;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Compiles the schemas of requests. Texts become numbers only where everything is
 * text, in queries and paths: in a body `"5"` is no number. A null of a body is as good as
 * nothing where a field is optional. The first fault ends the check, so that a hostile
 * body costs no more than a good one.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  // Verbose: an error brings the schema along, which words it.
  const common = { useDefaults: true, strict: false, verbose: true } as const;
  const bodies = withFormats(new Ajv(common));
  const queries = withFormats(new Ajv({ ...common, coerceTypes: 'array' }));
  const texts = withFormats(new Ajv({ ...common, coerceTypes: true }));
  return ({ schema, httpPart }) => {
    if (httpPart === 'body') {
      return bodyCheck(bodies, schema);
    }
    return (httpPart === 'querystring' ? queries : texts).compile(schema);
  };
}

function bodyCheck(
  ajv: Ajv,
  schema: TSchema,
): ReturnType<FastifySchemaCompiler<TSchema>> {
  const check = ajv.compile(schema);
  const leaveOutNulls = leavingOutNulls(schema);
  return leaveOutNulls
    ? body => {
        leaveOutNulls(body);
        return check(body) || { error: check.errors ?? [] };
      }
    : check;
}

/** The formats of JSON Schema, and `date-or-time` for the ends of a queried period. */
function withFormats(ajv: Ajv): Ajv {
  addFormats(ajv);
  const timestamp = ajv.formats['date-time'];
  const isWritten =
    typeof timestamp === 'object' && 'validate' in timestamp
      ? (timestamp.validate as (value: string) => boolean)
      : () => false;
  // RFC 3339 also knows leap seconds, which no clock of a computer can count.
  const isTimestamp = (value: string) =>
    isWritten(value) && !Number.isNaN(Date.parse(value));
  const date = ajv.formats.date;
  const isDate =
    typeof date === 'object' && 'validate' in date
      ? (date.validate as (value: string) => boolean)
      : (value: string) => DATE.test(value);
  ajv.addFormat('date-time', isTimestamp);
  ajv.addFormat('date-or-time', value => isDate(value) || isTimestamp(value));
  return ajv;
}
