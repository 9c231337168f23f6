import { useEffect, useMemo, useState } from 'react';

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

/** Pause after which the user counts as having stopped typing, in milliseconds. */
const TYPING_MS = 200;

/**
 * Returns the query to send for a list: the previous one until the user stops typing the words `q`,
 * as otherwise each letter would be a request. The query is held back as a whole, because a page of
 * one search may not exist in another. A query without words is not held back. Space around words is
 * removed.
 *
 * @param query - plain JSON; needs no memoization as long as its content stays the same.
 */
export function useSearched<T extends { q: string }>(query: T): T {
  const key = JSON.stringify({ ...query, q: query.q.trim() });
  const now = useMemo(() => JSON.parse(key) as T, [key]);
  const [settled, setSettled] = useState(now);
  const isTyping = now.q !== '' && now.q !== settled.q;
  useEffect(() => {
    const timer = setTimeout(() => setSettled(now), isTyping ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [now, isTyping]);
  return isTyping ? settled : now;
}

/** Returns the words of a search once the user stops typing, like {@link useSearched}. */
export function useSearchedWords(text: string): string {
  return useSearched({ q: text }).q;
}
