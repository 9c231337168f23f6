import { Lexer } from 'yaml';
import { LIMITS } from './limits';

/** Where in a text, counted in UTF-16 units, and what. */
export interface StructureFault {
  offset: number;
  message: string;
}

/** The lexer's mark before a scalar. */
const SCALAR_MARK = '\x1f';
/** Marks that the lexer puts between tokens; they stand for no text. */
const MARKS = new Set(['\x02', '\x18', SCALAR_MARK]);
const BLOCK_INDICATORS = new Set(['-', '?', ':']);

/**
 * Looks at the tokens of a YAML text before it is parsed.
 *
 * The parser's time is quadratic in the number of keys and anchors, and its
 * stack as deep as the nesting: 1 MiB of `- - - …` ends the process. The lexer
 * alone is linear, so the limits are applied here.
 *
 * @returns The first fault, or null when the text is safe to parse.
 */
export function checkStructure(text: string): StructureFault | null {
  let offset = 0;
  let tokens = 0;
  let flowDepth = 0;
  let indentation = 0;
  let indicatorsInLine = 0;
  let atLineStart = true;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > LIMITS.tokens) {
      return { offset, message: 'the file has too many elements' };
    }
    if (token === '[' || token === '{') flowDepth += 1;
    if (token === ']' || token === '}') flowDepth -= 1;
    if (flowDepth === 0 && BLOCK_INDICATORS.has(token)) indicatorsInLine += 1;
    const indentsTooFar =
      flowDepth === 0 &&
      indentation > LIMITS.indentation &&
      (token === SCALAR_MARK || BLOCK_INDICATORS.has(token));
    if (
      indentsTooFar ||
      flowDepth > LIMITS.depth ||
      indicatorsInLine > LIMITS.depth
    ) {
      return { offset, message: 'the file is nested too deeply' };
    }
    if (MARKS.has(token)) continue;
    offset += token.length;
    if (token.endsWith('\n')) {
      indentation = 0;
      indicatorsInLine = 0;
      atLineStart = true;
    } else if (atLineStart) {
      indentation = /^ *$/.test(token) ? token.length : 0;
      atLineStart = false;
    }
  }
  return null;
}
