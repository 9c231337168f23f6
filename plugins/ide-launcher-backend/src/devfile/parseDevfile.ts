import { findDuplicateKey, findYamlStructureFault } from '@slipway/portal-kit';
import {
  Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  Node,
  ParsedNode,
  parseDocument,
  YAMLError,
} from 'yaml';
import { z } from 'zod';
import { DevfileFault, DevfilePath, MAX_ISSUES, quote, valueAt } from './issue';
import { devfileSchema, RawDevfile } from './schema/devfile';
import { checkVersion } from './schema/versions';

/**
 * A devfile that matches the schema, or its faults. `legible` is the devfile if all that is wrong are
 * formats of texts, sizes and unknown fields, so that it can still be checked for further faults.
 */
type DevfileResult =
  | { ok: true; devfile: RawDevfile }
  | { ok: false; faults: DevfileFault[]; legible?: RawDevfile };

/** Codes of schema issues with which every value still has the type of a valid devfile. */
const LEGIBLE = new Set<z.core.$ZodIssue['code']>([
  'invalid_format',
  'too_big',
  'unrecognized_keys',
]);

/** Parses the text of a devfile, and validates it against the schema of its version. */
export function parseDevfile(text: string): DevfileResult {
  const parsed = parseYaml(text);
  return parsed.ok ? validateDevfile(parsed.value) : parsed;
}

/** Limits for the text of a devfile. The largest files of the public registry stay below a tenth of each. */
export const LIMITS = {
  /** Lexer tokens; comments and line breaks count. */
  tokens: 25_000,
  /** Columns of indentation; each level of nesting uses one or more. */
  indentation: 256,
  /** Levels of nesting. */
  depth: 64,
  /** Total expansion factor of aliases. */
  aliases: 100,
  /** Values after expanding all aliases. */
  nodes: 50_000,
  /** Characters after expanding all aliases and variables. */
  characters: 4 * 1024 * 1024,
} as const;

/** Keys with a special meaning in JavaScript. No devfile needs them. */
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

/** A forbidden key and its position in the text. */
interface ForbiddenKey {
  key: string;
  path: DevfilePath;
  offset: number;
}

/** Finds keys that could modify JavaScript's prototypes. */
function findForbiddenKeys(
  document: Document.Parsed<ParsedNode>,
): ForbiddenKey[] {
  const found: ForbiddenKey[] = [];
  const visit = (node: Node | null, path: DevfilePath): void => {
    if (isSeq<Node>(node)) {
      node.items.forEach((item, index) => visit(item, [...path, index]));
    }
    if (!isMap<Node, Node>(node)) {
      return;
    }
    for (const pair of node.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : '';
      const keyPath = [...path, key];
      if (FORBIDDEN_KEYS.has(key)) {
        found.push({ key, path: keyPath, offset: pair.key.range?.[0] ?? 0 });
      }
      visit(pair.value, keyPath);
    }
  };
  visit(document.contents, []);
  return found;
}

/**
 * Checks the size of a value after expanding all aliases: shared values are counted each time
 * they occur. Stops early at values that contain themselves.
 *
 * @returns the first fault, or null.
 */
function checkValue(root: unknown): DevfileFault | null {
  let nodes = 0;
  let characters = 0;

  const visit = (value: unknown, path: DevfilePath): DevfileFault | null => {
    nodes += 1;
    if (typeof value === 'string') {
      characters += value.length;
    }
    if (nodes > LIMITS.nodes || characters > LIMITS.characters) {
      return { path: [], message: 'the file has too many elements' };
    }
    if (typeof value !== 'object' || value === null) {
      return null;
    }
    if (path.length >= LIMITS.depth) {
      return { path: [], message: 'the file is nested too deeply' };
    }
    const entries = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [key, child] of entries) {
      const fault = visit(child, [...path, key]);
      if (fault) {
        return fault;
      }
    }
    return null;
  };

  return visit(root, []);
}

/** A parsed text, or the reason why it is invalid. */
type ParseResult =
  { ok: true; value: unknown } | { ok: false; faults: DevfileFault[] };

const MAX_MESSAGE_LENGTH = 200;

function fail(...faults: DevfileFault[]): ParseResult {
  return { ok: false, faults: faults.slice(0, MAX_ISSUES) };
}

function describeYamlError(error: YAMLError): string {
  if (error.code === 'MULTIPLE_DOCS') {
    return 'a devfile is one YAML document, and another one starts here';
  }
  return error.message.slice(0, MAX_MESSAGE_LENGTH);
}

/**
 * Parses one YAML 1.2 document of the core schema, with unique keys and within {@link LIMITS}. Takes
 * linear time and bounded memory for any text.
 */
export function parseYaml(text: string): ParseResult {
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
    // Checked below, in linear time.
    uniqueKeys: false,
    // Rendering the context of each error is quadratic.
    prettyErrors: false,
    lineCounter: lines,
    // 'silent' would also suppress the error about more than one document.
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
      ? 'the aliases expand too much'
      : error.message.slice(0, MAX_MESSAGE_LENGTH);
    return fail({ path: [], message });
  }
  if (value === null) {
    return fail({ path: [], message: 'the file is empty' });
  }
  const sizeFault = checkValue(value);
  return sizeFault ? fail(sizeFault) : { ok: true, value };
}

const TYPE_NAMES: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  int: 'an integer',
  number: 'a number',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

function describeValue(value: unknown): string {
  if (value === null) {
    return 'empty';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (typeof value === 'object') {
    return 'a mapping';
  }
  return typeof value === 'string'
    ? `the text ${quote(value)}`
    : `the ${typeof value} ${String(value)}`;
}

function describeType(expected: string, value: unknown): string {
  if (value === undefined) {
    return 'is required';
  }
  const demand = `must be ${TYPE_NAMES[expected] ?? expected}`;
  const isUnquoted = typeof value === 'number' || typeof value === 'boolean';
  const hint = expected === 'string' && isUnquoted ? '; put it in quotes' : '';
  return `${demand}, and is ${describeValue(value)}${hint}`;
}

/** Describes a schema issue in one line; `value` is the devfile's value at its path. */
function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue.expected, value);
    case 'invalid_value': {
      const choices = issue.values.map(String).join(', ');
      return value === undefined
        ? 'is required'
        : `must be one of ${choices}, and is ${describeValue(value)}`;
    }
    case 'invalid_format':
      // The schema defines a message for each of its patterns.
      return typeof value === 'string'
        ? `${issue.message}, and is ${quote(value)}`
        : issue.message;
    case 'too_big':
      return issue.origin === 'string'
        ? `must be at most ${issue.maximum} characters long`
        : 'is too large';
    default:
      return issue.message;
  }
}

/** Converts a schema issue about the value `root` to faults. */
function toFaults(issue: z.core.$ZodIssue, root: unknown): DevfileFault[] {
  const path = issue.path.map(step =>
    typeof step === 'number' ? step : String(step),
  );
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map(key => ({
        path: [...path, key],
        message: 'is not a devfile field here',
      }))
    : [{ path, message: describeIssue(issue, valueAt(root, path)) }];
}

/**
 * Validates a parsed file against the devfile schema of its version. Reports all faults, up to
 * {@link MAX_ISSUES}.
 */
export function validateDevfile(value: unknown): DevfileResult {
  const result = devfileSchema.safeParse(value);
  const faults = [
    ...(result.error?.issues.flatMap(issue => toFaults(issue, value)) ?? []),
    ...checkVersion(value),
  ];
  if (!result.success || faults.length > 0) {
    const issues = result.error?.issues ?? [];
    return {
      ok: false,
      faults: faults.slice(0, MAX_ISSUES),
      ...(issues.every(({ code }) => LEGIBLE.has(code)) && {
        legible: value as RawDevfile,
      }),
    };
  }
  return { ok: true, devfile: result.data };
}
