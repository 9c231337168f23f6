import { useEffect, useState } from 'react';
import { useApi } from '@backstage/frontend-plugin-api';
import { searchApiRef } from '@backstage/plugin-search-react';
import type { Command } from '@slipway/app-react';

/** Typing within this time is one question. */
const PAUSE_MS = 150;

const LIMIT = 8;

/** A page that was found. */
interface FoundPage {
  title: string;
  text: string;
  /** Path within the app. */
  location: string;
}

/** What is known for the words typed last. */
export type SearchResults =
  | { state: 'idle' | 'searching' }
  | { state: 'failed'; error: unknown }
  | { state: 'ready'; pages: FoundPage[] };

/** Searches while the reader types; an answer to older words is dropped. */
export function useSearchResults(term: string): SearchResults {
  const searchApi = useApi(searchApiRef);
  const [results, setResults] = useState<SearchResults>({ state: 'idle' });
  const words = term.trim();

  useEffect(() => {
    if (words === '') {
      setResults({ state: 'idle' });
      return undefined;
    }
    setResults({ state: 'searching' });
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await searchApi.query(
          { term: words, pageLimit: LIMIT },
          { signal: abort.signal },
        );
        if (!abort.signal.aborted) {
          const pages = answer.results.map(result => result.document);
          setResults({ state: 'ready', pages });
        }
      } catch (error) {
        if (!abort.signal.aborted) {
          setResults({ state: 'failed', error });
        }
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [searchApi, words]);

  return results;
}

/** Commands of whose name or keywords every typed word begins one; all when nothing is typed. */
export function matchCommands(
  commands: readonly Command[],
  term: string,
): readonly Command[] {
  const typed = wordsOf(term);
  return commands.filter(({ title, keywords }) => {
    const known = wordsOf([title, ...keywords].join(' '));
    return typed.every(word => known.some(name => name.startsWith(word)));
  });
}

function wordsOf(text: string): string[] {
  return text
    .toLocaleLowerCase('en')
    .split(/\s+/)
    .filter(word => word !== '');
}
