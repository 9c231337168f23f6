import UFuzzy from '@leeoniya/ufuzzy';
import type { PaletteEntry } from '@slipway/app-react';

/** A matching entry, with the ranges of its title to highlight: start, end, start, end … */
export interface Ranked {
  entry: PaletteEntry;
  marks: readonly number[];
}

/** An index over entries; created once for the same entries. */
export interface PaletteIndex {
  /**
   * Finds entries that match the words, best first: names rank before other words, and
   * exact matches before approximate ones.
   * @param bonusOf - from 0 to 1 for entries used often, which rank first among equals.
   */
  find(
    words: string,
    options: { limit: number; bonusOf?(entry: PaletteEntry): number },
  ): Ranked[];
}

// One wrong, missing, added or transposed letter per word.
const fuzzy = new UFuzzy({
  intraMode: 1,
  intraIns: 1,
  intraSub: 1,
  intraTrn: 1,
  intraDel: 1,
});

/** Quality of a match; lower is better. */
const TIER = {
  equal: 0,
  begins: 1,
  wordsBegin: 2,
  contains: 3,
  aboutBegins: 4,
  typo: 5,
  about: 6,
} as const;

/** Longer (pasted) input is truncated: fuzzy patterns grow with each letter. */
const MAX_LETTERS = 60;

/** Maximum number of words that may match in any order. */
const MAX_SWAPPED = 4;

const SEPARATORS = /[\s\-_./:@#()]+/;

/** Prepares entries for searching as the user types. */
export function createIndex(entries: readonly PaletteEntry[]): PaletteIndex {
  const titles = entries.map(({ item }) => plain(item.title));
  const about = entries.map(({ item }, place) =>
    [
      titles[place],
      titles[place].replace(/[\s\-_.]+/g, ''),
      ...(item.keywords ?? []).map(plain),
      plain(item.kind),
      plain(item.detail ?? ''),
    ].join(' '),
  );
  return {
    find(typed, { limit, bonusOf = () => 0 }) {
      const words = plain(typed.slice(0, MAX_LETTERS)).trim();
      const terms = words.split(SEPARATORS).filter(Boolean);
      if (terms.length === 0) {
        return [];
      }
      return placesOf(about, words, terms)
        .map(place => ({
          place,
          score:
            tierOf({
              title: titles[place],
              about: about[place],
              words,
              terms,
            }) -
            0.9 * bonusOf(entries[place]),
        }))
        .sort(
          (one, other) =>
            one.score - other.score ||
            titles[one.place].length - titles[other.place].length ||
            entries[one.place].source.order -
              entries[other.place].source.order ||
            one.place - other.place,
        )
        .slice(0, limit)
        .map(({ place }) => ({
          entry: entries[place],
          marks: marksIn(entries[place].item.title, titles[place], terms),
        }));
    },
  };
}

/**
 * Returns the indexes of texts that contain the words; up to {@link MAX_SWAPPED} words match in any
 * order.
 */
function placesOf(
  texts: string[],
  words: string,
  terms: readonly string[],
): readonly number[] {
  const swaps = terms.length > 1 && terms.length <= MAX_SWAPPED ? 1 : 0;
  // Without uFuzzy's own ranking, which does not distinguish names from other words.
  const [found, , order] = fuzzy.search(texts, words, swaps, 0);
  return order ?? found ?? [];
}

/** Returns the {@link TIER} of an entry that matches. All texts are normalized by {@link plain}. */
function tierOf(match: {
  title: string;
  about: string;
  words: string;
  terms: readonly string[];
}): number {
  const { title, about, words, terms } = match;
  if (title === words) {
    return TIER.equal;
  }
  if (title.startsWith(words)) {
    return TIER.begins;
  }
  if (everyBegins(terms, title)) {
    return TIER.wordsBegin;
  }
  if (terms.every(term => title.includes(term))) {
    return TIER.contains;
  }
  if (everyBegins(terms, about)) {
    return TIER.aboutBegins;
  }
  return isIn(title, words) ? TIER.typo : TIER.about;
}

/** Checks whether each term is the beginning of a word of the text. */
function everyBegins(terms: readonly string[], text: string): boolean {
  const known = text.split(SEPARATORS);
  return terms.every(term => known.some(word => word.startsWith(term)));
}

/** Checks whether a text matches the words, allowing for typos. */
function isIn(text: string, words: string): boolean {
  return (fuzzy.filter([text], words)?.length ?? 0) > 0;
}

/** Finds the words in a title, in order and without overlap. */
function marksIn(
  original: string,
  title: string,
  terms: readonly string[],
): number[] {
  // Letters that normalize to two, such as "æ", shift all later positions.
  if (original.length !== title.length) {
    return [];
  }
  const spans = terms
    .map(term => {
      const word = title.search(
        new RegExp(`(?<=^|[\\s\\-_./:@#(])${escape(term)}`),
      );
      const start = word >= 0 ? word : title.indexOf(term);
      return [start, start + term.length] as const;
    })
    .filter(([start]) => start >= 0)
    .sort(([one], [other]) => one - other);
  return spans.flatMap(([start, end], place) =>
    place > 0 && start < spans[place - 1][1] ? [] : [start, end],
  );
}

function escape(text: string): string {
  return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/** Removes accents, and converts to lower case. */
function plain(text: string): string {
  return UFuzzy.latinize(text).toLocaleLowerCase('en');
}
