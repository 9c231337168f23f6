import { useUrlFilters } from '@slipway/design-system';

/** The page of a list, as the URL says; anything else is the first. */
export function usePageNumber(): { page: number; setPage(page: number): void } {
  const { values, set } = useUrlFilters({ page: '1' });
  const page = Number(values.page);
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    setPage: next => set('page', String(next)),
  };
}
