import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { parseInstant } from '../time/parseInstant.ts';
import { leavingOutNulls } from './leaveOutNulls.ts';

// A CommonJS module whose types say that it is an ES module.
const addFormats =
  addFormatsModule as unknown as typeof addFormatsModule.default;

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

/** The formats of JSON Schema; `date-time` is what ISO 8601 has it to be, not RFC 3339 alone. */
function withFormats(ajv: Ajv): Ajv {
  addFormats(ajv);
  ajv.addFormat('date-time', text => parseInstant(text) !== undefined);
  return ajv;
}
