import type { Reading } from './coerce.ts';
import type { Definition } from './defineFunction.ts';
import type { Expression } from './Expression.ts';
import { NUMBER_FUNCTIONS } from './numberFunctions.ts';
import { TEXT_FUNCTIONS } from './textFunctions.ts';
import { TIME_FUNCTIONS } from './timeFunctions.ts';
import type { TokenReader } from './TokenReader.ts';

/** Replacements for unsupported functions that people often try. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['any_value', 'any'],
  ['approx_count_distinct', 'uniq'],
  ['arrayjoin', 'splitByChar(…)[n]'],
  ['curdate', 'today'],
  ['current_date', 'today'],
  ['dateadddays', 'addDays'],
  ['day', 'toDayOfMonth'],
  ['dayofweek', 'toDayOfWeek'],
  ['dictget', 'properties.<name>'],
  ['hour', 'toHour'],
  ['iff', 'if'],
  ['json_extract', 'properties.<name>'],
  ['jsonextract', 'JSONExtractString'],
  ['jsonextractarrayraw', 'properties.<name>'],
  ['lag', 'FunnelsQuery or PathsQuery'],
  ['lead', 'FunnelsQuery or PathsQuery'],
  ['month', 'toMonth'],
  ['nvl', 'ifNull'],
  ['percentile', 'quantile(0.9)(x)'],
  ['percentile_cont', 'quantile(0.9)(x)'],
  ['quantiles', 'quantile(0.5)(x), quantile(0.9)(x)'],
  ['regexp_replace', 'replaceRegexpAll'],
  ['retention', 'RetentionQuery'],
  ['row_number', 'ORDER BY … LIMIT'],
  ['sequencecount', 'FunnelsQuery'],
  ['sequencematch', 'FunnelsQuery'],
  ['strftime', 'formatDateTime'],
  ['to_date', 'toDate'],
  ['windowfunnel', 'FunnelsQuery'],
  ['year', 'toYear'],
]);

/**
 * Asserts that the function exists whose name and opening bracket were just read. Called
 * before its arguments are parsed, so that the error names the position of the function.
 * @throws InvalidRequestError naming the replacement, if there is one.
 */
export function requireFunction(name: string, reader: TokenReader): void {
  const key = name.toLowerCase();
  if (!definitionOf(key)) {
    const instead = REPLACEMENTS.get(key);
    throw reader.faultAt(
      reader.place - 2,
      `calls '${name}', which is not available${
        instead ? `: use ${instead}` : ''
      }`,
    );
  }
}

function definitionOf(key: string): Definition | undefined {
  return (
    NUMBER_FUNCTIONS.get(key) ??
    TEXT_FUNCTIONS.get(key) ??
    TIME_FUNCTIONS.get(key)
  );
}

/**
 * Builds a call of an existing function other than an aggregate.
 * @throws InvalidRequestError if its arguments are invalid.
 */
export function buildCall(
  name: string,
  args: readonly Expression[],
  reading: Reading,
): Expression {
  const definition = definitionOf(name.toLowerCase())!;
  const { least, most, build } = definition;
  if (args.length < least || args.length > most) {
    throw reading.reader.faultBefore(
      `calls ${name} with ${args.length} arguments instead of ${
        least === most ? least : `${least} to ${most}`
      }`,
    );
  }
  return build(args, reading);
}
