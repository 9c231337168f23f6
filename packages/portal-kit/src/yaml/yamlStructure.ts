import {
  Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Node,
  ParsedNode,
  YAMLParseError,
} from 'yaml';

/** Limits on the structure of an untrusted YAML text. */
export interface YamlLimits {
  /** Lexer tokens, including comments and line breaks. */
  tokens: number;
  /** Columns by which a block may be indented; each level of nesting takes at least one. */
  indentation: number;
  /** Levels of nesting. */
  depth: number;
}

/** An error in a text: its position in UTF-16 code units, and its message. */
export interface YamlStructureFault {
  offset: number;
  message: string;
}

/** The lexer's marker before a scalar. */
const SCALAR_MARK = '\x1f';
/** Markers that the lexer inserts between tokens; they have no text. */
const MARKS = new Set(['\x02', '\x18', SCALAR_MARK]);
const BLOCK_INDICATORS = new Set(['-', '?', ':']);

/**
 * Checks the tokens of a YAML text before it is parsed.
 *
 * The parser recurses per level of nesting, and takes about ten times as long per token as the lexer,
 * or longer if the text is full of errors. The lexer is linear and fast, so it is used to check the
 * limits first.
 *
 * @returns the first error, or null if the text is safe to parse.
 */
export function findYamlStructureFault(
  text: string,
  limits: YamlLimits,
): YamlStructureFault | null {
  let offset = 0;
  let tokens = 0;
  let flowDepth = 0;
  let indentation = 0;
  let indicatorsInLine = 0;
  let atLineStart = true;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > limits.tokens) {
      return { offset, message: 'the file has too many elements' };
    }
    if (token === '[' || token === '{') {
      flowDepth += 1;
    }
    if (token === ']' || token === '}') {
      // The lexer also emits unmatched closing brackets.
      flowDepth = Math.max(0, flowDepth - 1);
    }
    if (flowDepth === 0 && BLOCK_INDICATORS.has(token)) {
      indicatorsInLine += 1;
    }
    const indentsTooFar =
      flowDepth === 0 &&
      indentation > limits.indentation &&
      (token === SCALAR_MARK || BLOCK_INDICATORS.has(token));
    if (
      indentsTooFar ||
      flowDepth > limits.depth ||
      indicatorsInLine > limits.depth
    ) {
      return { offset, message: 'the file is nested too deeply' };
    }
    if (MARKS.has(token)) {
      continue;
    }
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

/**
 * Finds the first duplicate key of a map. Use it with `uniqueKeys: false`: the parser would compare
 * each key with every other key of its map.
 */
export function findDuplicateKey(
  document: Document.Parsed<ParsedNode>,
): YAMLParseError | null {
  const pending: Array<Node | null> = [document.contents];
  while (pending.length > 0) {
    const node = pending.pop();
    if (isSeq<Node>(node)) {
      node.items.forEach(item => pending.push(item));
    }
    if (!isMap<Node, Node>(node)) {
      continue;
    }
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      const identity = isScalar(key) ? key.value : key;
      if (seen.has(identity)) {
        const [start = 0, end = start + 1] = key.range ?? [];
        return new YAMLParseError(
          [start, end],
          'DUPLICATE_KEY',
          'Map keys must be unique',
        );
      }
      seen.add(identity);
      pending.push(key, value);
    }
  }
  return null;
}
