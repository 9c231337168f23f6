import type { JsonObject, JsonValue } from '@backstage/types';

/** A search, as represented in the URL of the search page. */
export interface SearchAddress {
  term: string;
  types: string[];
  /** Values, or lists of values, by field. */
  filters: JsonObject;
  pageCursor?: string;
}

const FILTER = /^filters\[([^\]]+)\](\[\d*\])?$/;

/**
 * Parses the query format of Backstage's own search page, so that links to that page
 * still work.
 */
export function readSearchAddress(query: string): SearchAddress {
  const filters: Record<string, JsonValue> = {};
  const types: string[] = [];
  const params = new URLSearchParams(query);
  for (const [key, value] of params) {
    const [, field, isList] = FILTER.exec(key) ?? [];
    if (/^types\[\d*\]$/.test(key)) {
      types.push(value);
    } else if (field && isList) {
      const values = filters[field];
      filters[field] = [...(Array.isArray(values) ? values : []), value];
    } else if (field) {
      filters[field] = value;
    }
  }
  const pageCursor = params.get('pageCursor');
  return {
    term: params.get('query') ?? '',
    types,
    filters,
    ...(pageCursor && { pageCursor }),
  };
}

/**
 * Formats a query for {@link readSearchAddress}, with the question mark; empty for an
 * empty search.
 */
export function formatSearchAddress(address: SearchAddress): string {
  const params = new URLSearchParams();
  if (address.term) {
    params.append('query', address.term);
  }
  address.types.forEach(type => params.append('types[]', type));
  for (const [field, value] of Object.entries(address.filters)) {
    if (Array.isArray(value)) {
      value.forEach(one => params.append(`filters[${field}][]`, String(one)));
    } else if (value !== undefined && value !== null && value !== '') {
      params.append(`filters[${field}]`, String(value));
    }
  }
  if (address.pageCursor) {
    params.append('pageCursor', address.pageCursor);
  }
  const query = params.toString();
  return query && `?${query}`;
}
