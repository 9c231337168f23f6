import { useEffect, useState } from 'react';

/** Checks whether a search matches texts: together they contain all of its words, ignoring case. */
export function matchesWords(
  search: string,
  texts: readonly (string | null | undefined)[],
): boolean {
  const text = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/** Returns a value once it has not changed for `pauseMs`, such as words once the user stops typing. */
export function useDebounced<T>(value: T, pauseMs: number): T {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return debounced;
}

/** Pause after which the user is taken to have stopped typing, in milliseconds. */
const TYPING_MS = 200;

/**
 * Returns the words of a search for a request, without the space around them: each letter would
 * otherwise be a request of its own. None are returned at once, because a link that removes them may
 * also lead to a page that the list with them does not have.
 */
export function useSearchedWords(text: string): string {
  const words = text.trim();
  const searched = useDebounced(words, words === '' ? 0 : TYPING_MS);
  return words === '' ? '' : searched;
}
