import { findDuplicateKey, findYamlStructureFault } from '@slipway/portal-kit';
import { LineCounter, parseDocument, YAMLError } from 'yaml';
import { DevfileFault, MAX_ISSUES, quote } from '../issue';
import { checkValue } from './checkValue';
import { findForbiddenKeys } from './forbiddenKeys';
import { LIMITS } from './limits';

/** A parsed text, or why it could not be parsed. */
export type ParseResult =
  { ok: true; value: unknown } | { ok: false; faults: DevfileFault[] };

const MAX_MESSAGE_LENGTH = 200;

function fail(...faults: DevfileFault[]): ParseResult {
  return { ok: false, faults: faults.slice(0, MAX_ISSUES) };
}

function describeYamlError(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS') {
    return 'a devfile is one YAML document, and another one begins here';
  }
  return error.message.slice(0, MAX_MESSAGE_LENGTH);
}

/**
 * Parses the text of a devfile: one YAML 1.2 document of the core schema, with
 * unique keys and within {@link LIMITS}. Answers in linear time and bounded
 * memory whatever the text is.
 */
export function parseDevfile(text: string): ParseResult {
  const lines = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };

  const structureFault = findYamlStructureFault(text, LIMITS);
  if (structureFault) {
    const { offset, message } = structureFault;
    const line = text.slice(0, offset).split('\n').length;
    return fail({ path: [], message: `line ${line}: ${message}` });
  }

  const document = parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // Looked at below, in linear time.
    uniqueKeys: false,
    // Rendering the surroundings of each error is quadratic.
    prettyErrors: false,
    lineCounter: lines,
    // 'silent' would also leave out that there is more than one document.
    logLevel: 'error',
  });
  const duplicate = findDuplicateKey(document);
  const errors = [
    ...document.errors,
    ...document.warnings,
    ...(duplicate ? [duplicate] : []),
  ];
  if (errors.length > 0) {
    return fail(
      ...errors.map(error => ({
        path: [],
        message: `${at(error.pos[0])}: ${describeYamlError(error)}`,
      })),
    );
  }
  const forbidden = findForbiddenKeys(document);
  if (forbidden.length > 0) {
    return fail(
      ...forbidden.map(({ key, path, offset }) => ({
        path,
        message: `${at(offset)}: the key ${quote(key)} is not allowed`,
      })),
    );
  }

  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: LIMITS.aliases });
  } catch (error) {
    if (!(error instanceof ReferenceError)) {
      throw error;
    }
    const message = error.message.startsWith('Excessive alias count')
      ? 'the aliases multiply too much'
      : error.message.slice(0, MAX_MESSAGE_LENGTH);
    return fail({ path: [], message });
  }
  if (value === null) {
    return fail({ path: [], message: 'the file is empty' });
  }
  const sizeFault = checkValue(value);
  return sizeFault ? fail(sizeFault) : { ok: true, value };
}
