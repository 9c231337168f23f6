/**
 * What a devfile may ask of the parser. The largest files of the public
 * registry stay below a tenth of each.
 */
export const LIMITS = {
  /** Lexer tokens; comments and line breaks count. */
  tokens: 25_000,
  /** Columns by which a block may be indented; each level of nesting takes one or more. */
  indentation: 256,
  /** Levels of nesting. */
  depth: 64,
  /** Times that aliases may multiply what they stand for. */
  aliases: 100,
  /** Values once every alias is replaced. */
  nodes: 50_000,
  /** Characters once every alias or variable is replaced. */
  characters: 4 * 1024 * 1024,
} as const;
