import { InvalidRequestError, PayloadTooLargeError } from '../errors/index.ts';

/** Objects and arrays within each other, at most. */
export const DEEPEST = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Checks the size of what a JSON text describes before anything is made of it: one pass
 * that allocates nothing. Whether the text is valid JSON is for the parser to say.
 *
 * @param elements - members of objects and elements of arrays, in all, at most.
 * @throws PayloadTooLargeError when there are more.
 * @throws InvalidRequestError naming the member of the root that is nested too deeply.
 */
export function assertBounded(json: string, elements: number): void {
  let depth = 0;
  let count = 0;
  let lastText = -1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      if (depth === 1) {
        lastText = at;
      }
      at = endOfText(json, at);
    } else if (code === COMMA) {
      count += 1;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      count += 1;
      depth += 1;
      if (depth > DEEPEST) {
        throw tooDeep(lastText < 0 ? undefined : textAt(json, lastText));
      }
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
    }
    if (count > elements) {
      throw new PayloadTooLargeError(
        `The request body holds more than ${elements} elements`,
        { field: 'body', constraint: 'maxItems' },
      );
    }
  }
}

/** The error of a body with objects or arrays within each other without end. */
export function tooDeep(field = 'body'): InvalidRequestError {
  return new InvalidRequestError('The request body is nested too deeply', {
    field,
    constraint: 'depth',
  });
}

/**
 * Reads members of an object that are texts from the start of its JSON, however it goes
 * on: a credential that a body begins with is known before the body is parsed.
 *
 * @param names - of the members to look for, of the outermost object alone.
 */
export function readTextMembers<N extends string>(
  start: string,
  names: readonly N[],
): Partial<Record<N, string>> {
  const found: Partial<Record<N, string>> = {};
  let depth = 0;
  let name: string | undefined;
  for (let at = 0; at < start.length; at++) {
    const code = start.charCodeAt(at);
    if (code === QUOTE) {
      const text = depth === 1 ? textAt(start, at) : undefined;
      if (isOneOf(names, name) && text !== undefined) {
        found[name] = text;
      }
      name ??= text;
      at = endOfText(start, at);
    } else if (code === COMMA && depth === 1) {
      name = undefined;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth += 1;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      depth -= 1;
    }
  }
  return found;
}

function isOneOf<N extends string>(
  names: readonly N[],
  name: string | undefined,
): name is N {
  return names.some(each => each === name);
}

/** The index of the quote that ends a text, or the end of the JSON. */
function endOfText(json: string, start: number): number {
  let end = start;
  do {
    end = json.indexOf('"', end + 1);
    if (end === -1) {
      return json.length;
    }
  } while (isEscaped(json, end));
  return end;
}

/** Tells whether an odd number of backslashes is before a character. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) {
    first -= 1;
  }
  return (at - first) % 2 === 1;
}

function textAt(json: string, start: number): string | undefined {
  try {
    return JSON.parse(json.slice(start, endOfText(json, start) + 1));
  } catch {
    return undefined;
  }
}
