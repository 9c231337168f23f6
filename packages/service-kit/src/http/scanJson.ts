import {
  InvalidRequestError,
  PayloadTooLargeError,
} from '../errors/ServiceError.ts';

/** Maximum nesting depth of objects and arrays. */
export const DEEPEST = 64;

/** Maximum members of an object or elements of an array. No route needs more. */
const LONGEST = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the elements and depth of a JSON body while it arrives, before it is parsed. Does not
 * check whether the JSON is valid; the parser does.
 */
export class JsonCounter {
  /** Object members and array elements so far, in total. */
  elements = 0;
  /** Maximum nesting depth of objects and arrays so far. */
  deepest = 0;
  readonly #isAnyDepthFine: boolean;
  #depth = 0;
  /** Elements of each open object or array, by depth. */
  readonly #open = new Uint32Array(DEEPEST + 1);
  #isInText = false;
  #isEscaped = false;
  /** The last string of the root object that lies entirely within a chunk. */
  #lastText: Buffer | undefined;

  /** @param options.anyDepth - whether deep nesting is accepted. */
  constructor(options: { anyDepth?: boolean } = {}) {
    this.#isAnyDepthFine = options.anyDepth ?? false;
  }

  /**
   * Counts the next chunk; chunks may be split anywhere.
   *
   * @throws PayloadTooLargeError if a single object or array has too many elements.
   * @throws InvalidRequestError naming the member of the root that is nested too deeply.
   */
  take(chunk: Buffer): void {
    let at = this.#isInText ? this.#skipText(chunk, 0) : 0;
    for (; at < chunk.length; at++) {
      const code = chunk[at];
      if (code === QUOTE) {
        const start = at;
        this.#isInText = true;
        at = this.#skipText(chunk, start + 1) - 1;
        if (this.#depth === 1) {
          this.#lastText = this.#isInText
            ? undefined
            : chunk.subarray(start, at + 1);
        }
      } else if (code === COMMA) {
        this.elements += 1;
        this.#open[this.#depth] += 1;
        if (this.#open[this.#depth] > LONGEST) {
          throw tooMany(LONGEST);
        }
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        this.elements += 1;
        this.#depth += 1;
        this.deepest = Math.max(this.deepest, this.#depth);
        if (this.#depth > DEEPEST && !this.#isAnyDepthFine) {
          const text = this.#lastText?.toString();
          throw tooDeep(text && textAt(text, 0));
        }
        this.#open[this.#depth] = 1;
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
        this.#depth -= 1;
      }
    }
  }

  /** Skips a string. @returns the index after its closing quote, or the end of the chunk. */
  #skipText(chunk: Buffer, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (chunk[at] === BACKSLASH) {
        this.#isEscaped = true;
      } else if (chunk[at] === QUOTE) {
        this.#isInText = false;
        return at + 1;
      }
    }
    return chunk.length;
  }
}

/** Creates the error for a body with too many elements. */
export function tooMany(elements: number): PayloadTooLargeError {
  return new PayloadTooLargeError(
    `The request body contains more than ${elements} elements`,
    { field: 'body', constraint: 'maxItems' },
  );
}

/** Creates the error for a body that is nested too deeply. */
export function tooDeep(field = 'body'): InvalidRequestError {
  return new InvalidRequestError('The request body is nested too deeply', {
    field,
    constraint: 'depth',
  });
}

/**
 * Reads string members at the start of a JSON object, even if the rest is missing, so that a
 * credential there can be checked before the body is parsed.
 *
 * @param names - the members to look for, only in the outermost object.
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

/** Returns the index of the closing quote of a string, or the length of the JSON. */
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

/** Checks whether a character is preceded by an odd number of backslashes. */
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
