import { useEffect, useRef } from 'react';
import { Button } from '@backstage/ui';
import { messages } from '../../messages';
import { type UrlFilters, useUrlFilters } from '../filters/useUrlFilters';
import './Pager.css';

/** Props of {@link Pager}. */
export interface PagerProps {
  /** Name of the list, for screen readers. */
  label: string;
  /** Starts at 1. */
  page: number;
  perPage: number;
  /** Number of rows on all pages; while another page loads, at least those up to it. */
  total: number;
  onChange(page: number): void;
}

/** Returns whether a page has no rows and is not the first; the Pager then goes to the last one. */
export function isPastEnd(
  page: number,
  rows: readonly unknown[] | undefined,
): boolean {
  return page > 1 && rows?.length === 0;
}

/**
 * Switches between the pages of a list, each of which is shown from its top; hidden if there is only
 * one. Goes to the last page if the current one no longer exists.
 */
export function Pager(props: PagerProps) {
  const { label, page, perPage, total, onChange } = props;
  const place = useRef<HTMLElement>(null);
  const pages = Math.max(1, Math.ceil(total / perPage));
  useEffect(() => {
    if (page > pages) {
      onChange(pages);
    }
    // Once, however often the page is rendered until its rows have loaded.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [page, pages]);
  if (pages === 1) {
    return null;
  }
  const turnTo = (next: number) => {
    onChange(next);
    // The pager is below the list, and the new rows begin above.
    const list = place.current?.parentElement;
    if (list && list.getBoundingClientRect().top < 0) {
      list.scrollIntoView();
    }
  };
  return (
    <nav ref={place} className="slw-Pager" aria-label={label}>
      <Button
        size="small"
        variant="secondary"
        isDisabled={page <= 1}
        onPress={() => turnTo(page - 1)}
      >
        {messages.previousPage}
      </Button>
      <span aria-live="polite">{messages.pagePosition(page, pages)}</span>
      <Button
        size="small"
        variant="secondary"
        isDisabled={page >= pages}
        onPress={() => turnTo(page + 1)}
      >
        {messages.nextPage}
      </Button>
    </nav>
  );
}

const FIRST = { page: '1' };

/** Stores the page of a list in the URL parameter `page`; invalid values mean the first page. */
export function useUrlPage(): { page: number; setPage(page: number): void } {
  const { values, set } = useUrlFilters(FIRST);
  const page = Number(values.page);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    setPage: next => set('page', String(next)),
  };
}

/**
 * Stores the filters and the page of a list in the URL. A change of the filters returns to the first
 * page, because there may be none with the same number.
 *
 * @param defaults - as for {@link useUrlFilters}.
 */
export function usePagedFilters<K extends string>(
  defaults: Record<K, string>,
): {
  filters: UrlFilters<K>;
  page: number;
  setPage(page: number): void;
} {
  const filters = useUrlFilters(defaults);
  const { setAll, clear } = useUrlFilters<string>({ ...defaults, ...FIRST });
  return {
    filters: {
      ...filters,
      set: (key, value) => setAll({ [key]: value, ...FIRST }),
      setAll: values => setAll({ ...values, ...FIRST }),
      clear,
    },
    ...useUrlPage(),
  };
}
