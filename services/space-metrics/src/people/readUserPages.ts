import type { PortalClient } from '@slipway/service-kit';

const PATH = '/api/catalog/entities/by-query';
const FIELDS =
  'kind,metadata.name,metadata.namespace,metadata.annotations,spec.memberOf,spec.profile.email,relations';
const PAGE_SIZE = 500;
/** For one page: nobody waits for it. */
const TIMEOUT_MS = 15_000;

/**
 * Reads every user of the catalog, page by page: an organisation in one answer is more
 * than the catalog puts together within any time.
 *
 * @returns entities, as the catalog has them.
 * @throws Error when a page is not answered.
 */
export async function readUserPages(
  portal: PortalClient,
): Promise<readonly unknown[]> {
  const users: unknown[] = [];
  let from: Record<string, string> = { filter: 'kind=user' };
  for (;;) {
    const query = new URLSearchParams({
      ...from,
      fields: FIELDS,
      limit: String(PAGE_SIZE),
    });
    const { items, pageInfo } = readPage(
      await portal.get(`${PATH}?${query}`, { timeoutMs: TIMEOUT_MS }),
    );
    users.push(...items);
    const cursor = pageInfo?.nextCursor;
    if (!cursor) {
      return users;
    }
    from = { cursor };
  }
}

interface Page {
  items: readonly unknown[];
  pageInfo?: { nextCursor?: string };
}

function readPage(answer: unknown): Page {
  const page = answer as Page | null;
  if (!Array.isArray(page?.items)) {
    throw new Error('The catalog answered with something that is no page');
  }
  return page;
}
