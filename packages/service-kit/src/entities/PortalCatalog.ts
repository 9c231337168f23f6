import type { CatalogEntity, CatalogReader } from '@slipway/entity-contract';
import { UnavailableError } from '../errors/ServiceError.ts';
import {
  PortalAnswerError,
  type PortalClient,
} from '../portal/PortalClient.ts';

const FIELDS = [
  'kind',
  'metadata.name',
  'metadata.namespace',
  'metadata.title',
  'metadata.annotations',
].join();

/**
 * Time for which catalog responses are cached, since a page requests the summary and the timeline
 * together.
 */
const KEPT_MS = 15_000;
const MAX_KEPT = 500;

/**
 * Reads the portal's catalog with the service's own token. Every portal user may read the catalog,
 * so this reveals nothing that a caller may not see.
 */
export class PortalCatalog implements CatalogReader {
  readonly #portal: PortalClient;
  readonly #now: () => number;
  readonly #kept = new Map<string, { at: number; answer: Promise<unknown> }>();

  constructor(options: { portal: PortalClient; now: () => number }) {
    this.#portal = options.portal;
    this.#now = options.now;
  }

  async entity({
    kind,
    namespace,
    name,
  }: {
    kind: string;
    namespace: string;
    name: string;
  }): Promise<CatalogEntity | undefined> {
    try {
      return (await this.#get(
        `/api/catalog/entities/by-name/${[kind, namespace, name].map(encodeURIComponent).join('/')}`,
      )) as CatalogEntity;
    } catch (error) {
      if (error instanceof PortalAnswerError && error.status === 404) {
        return undefined;
      }
      throw unavailable(error);
    }
  }

  async components(
    relation: 'ownedBy' | 'partOf',
    { targets, limit }: { targets: readonly string[]; limit: number },
  ): Promise<CatalogEntity[]> {
    const query = new URLSearchParams({
      fields: FIELDS,
      limit: String(limit),
      orderField: 'metadata.name,asc',
    });
    for (const target of targets) {
      query.append('filter', `kind=component,relations.${relation}=${target}`);
    }
    try {
      const { items } = (await this.#get(
        `/api/catalog/entities/by-query?${query}`,
      )) as { items: CatalogEntity[] };
      return items;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #get(path: string): Promise<unknown> {
    const now = this.#now();
    const kept = this.#kept.get(path);
    // The clock may have been set back.
    if (kept && Math.abs(now - kept.at) < KEPT_MS) {
      return kept.answer;
    }
    this.#kept.delete(path);
    // Oldest first. A response may list a thousand components, so none is kept after it has expired.
    for (const [other, { at }] of this.#kept) {
      if (Math.abs(now - at) < KEPT_MS && this.#kept.size < MAX_KEPT) {
        break;
      }
      this.#kept.delete(other);
    }
    const answer = this.#portal.get(path);
    this.#kept.set(path, { at: now, answer });
    answer.catch(() => this.#kept.delete(path));
    return answer;
  }
}

function unavailable(error: unknown): UnavailableError {
  const isRefused =
    error instanceof PortalAnswerError && [401, 403].includes(error.status);
  return new UnavailableError(
    isRefused
      ? 'The service may not read the catalog: its portalToken needs access to it'
      : 'The catalog is not responding',
    { cause: error },
  );
}
