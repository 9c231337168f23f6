/** Words that do not distinguish services. */
const COMMON_WORDS: ReadonlySet<string> = new Set([
  'api',
  'app',
  'backend',
  'component',
  'frontend',
  'service',
  'svc',
]);

/** Maximum number of suggestions. */
const MAX = 5;

/** A name split into parts for comparison. */
export interface NameParts {
  words: ReadonlySet<string>;
  /** The whole name without punctuation. */
  letters: string;
}

/** Splits the last segment of a name into words: `Shop/Cart-Service` gives `cart`. */
export function namePartsOf(name: string): NameParts {
  const last = name
    .toLocaleLowerCase('en-US')
    .split(/[/:]/)
    .filter(Boolean)
    .pop();
  const words = (last ?? '').split(/[^a-z0-9]+/).filter(Boolean);
  return {
    words: new Set(words.filter(word => !COMMON_WORDS.has(word))),
    letters: words.join(''),
  };
}

function similarity(one: NameParts, other: NameParts): number {
  if (one.letters === other.letters) {
    return Infinity;
  }
  const shared = [...one.words].filter(word => other.words.has(word)).length;
  return shared / Math.max(one.words.size, other.words.size, 1);
}

/**
 * Finds names that share words with another, most similar first.
 *
 * @param options.among - refs with the parts of their names.
 */
export function similarNames(options: {
  name: string;
  among: ReadonlyMap<string, NameParts>;
}): string[] {
  const wanted = namePartsOf(options.name);
  if (!wanted.letters) {
    return [];
  }
  return [...options.among]
    .map(([ref, parts]) => ({ ref, score: similarity(wanted, parts) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) =>
      a.score === b.score ? a.ref.localeCompare(b.ref) : b.score - a.score,
    )
    .slice(0, MAX)
    .map(({ ref }) => ref);
}
