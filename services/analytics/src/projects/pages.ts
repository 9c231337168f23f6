import { type TSchema, Type } from 'typebox';

const Link = Type.Unsafe<string | null>({ type: ['string', 'null'] });

/** Builds the schema of a page of results, in PostHog's shape. */
export const pageOf = <T extends TSchema>(result: T) =>
  Type.Object({
    count: Type.Integer(),
    next: Link,
    previous: Link,
    results: Type.Array(result),
  });

/**
 * Formats a page of results, with the addresses of the next and the previous page.
 *
 * @param list.route - the path of the list, with `:projectId`.
 * @param list.query - the query parameters of the request, including defaults.
 * @param found.count - the number of results on all pages.
 */
export function presentPage<T>(
  list: {
    route: string;
    projectId: string;
    query: { readonly limit: number; readonly offset: number };
  },
  found: { count: number; results: T[] },
) {
  const { limit, offset } = list.query;
  const url = list.route.replace(
    ':projectId',
    encodeURIComponent(list.projectId),
  );
  const pageAt = (start: number) => {
    const members = Object.entries({ ...list.query, offset: start });
    return `${url}?${new URLSearchParams(
      members.map(([name, value]) => [name, String(value)]),
    )}`;
  };
  return {
    count: found.count,
    next: offset + limit < found.count ? pageAt(offset + limit) : null,
    previous: offset > 0 ? pageAt(Math.max(0, offset - limit)) : null,
    results: found.results,
  };
}
