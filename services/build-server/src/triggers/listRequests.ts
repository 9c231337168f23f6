import { buffer } from 'node:stream/consumers';
import { type AddressRules, GuardedFetch } from '@slipway/platform-guards';
import { isJsonObject } from '@slipway/service-kit';
import type { ForgeOptions } from '../config.ts';
import { apiOf, credentialsOf, repositoryApi } from '../reporting/forgeApi.ts';
import { readBitbucketListed } from './bitbucketEvents.ts';
import {
  type EventReading,
  type EventSource,
  objectAt,
  type Payload,
} from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';

const TIMEOUT_MS = 30_000;
const PAGE_SIZE = '50';
/** A repository has a job for each of at most 500 branches and pull requests. */
const MAX_PAGES = 10;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** How a kind of forge lists requests. */
interface RequestList {
  /** The address of the list, below that of its repository. */
  path: string;
  /** The query of the first page. */
  query: Readonly<Record<string, string>>;
  /** Finds the requests in the content of a page, and the next page if there is one. */
  pageOf(
    content: unknown,
    page: { url: URL; link: string },
  ): { items: unknown; next?: URL };
  /** Reads a request as if its webhook had just arrived. */
  read(item: Payload, repository: string): EventReading;
}

const LISTS: Readonly<Record<ForgeOptions['kind'], RequestList>> = {
  github: pullsBy('per_page'),
  gitea: pullsBy('limit'),
  forgejo: pullsBy('limit'),
  gitlab: {
    path: 'merge_requests',
    query: { state: 'opened', per_page: PAGE_SIZE, page: '1' },
    pageOf: pageOfArray,
    read: (item, repository) =>
      readEvent(
        {
          object_attributes: {
            ...item,
            action: 'open',
            last_commit: { id: item.sha },
            url: item.web_url,
          },
          project: { path_with_namespace: repository },
          user: item.author,
        },
        { event: 'Merge Request Hook', isForge: true },
      ),
  },
  'bitbucket-cloud': {
    path: 'pullrequests',
    query: { state: 'OPEN', pagelen: PAGE_SIZE },
    pageOf: (content, { url }) => {
      const { values, next } = isJsonObject(content) ? content : {};
      return {
        items: values,
        next: next === undefined ? undefined : new URL(String(next), url),
      };
    },
    read: readBitbucketListed,
  },
  'bitbucket-server': {
    path: 'pull-requests',
    query: { state: 'OPEN', limit: PAGE_SIZE, start: '0' },
    pageOf: (content, { url }) => {
      const { values, isLastPage, nextPageStart } = isJsonObject(content)
        ? content
        : {};
      return {
        items: values,
        next:
          isLastPage === true
            ? undefined
            : withQuery(url, 'start', nextPageStart),
      };
    },
    read: item =>
      readEvent(
        { pullRequest: item, actor: objectAt(item, 'author').user },
        { event: 'pr:opened', isForge: true },
      ),
  },
};

/** The open pull or merge requests of a repository. */
interface OpenRequests {
  /** Bitbucket Cloud shortens the ids of their commits. */
  requests: EventSource[];
  /** False if there are more. */
  isComplete: boolean;
}

/**
 * Lists the open pull or merge requests of a repository through the API of its forge.
 *
 * @param repository - full name, e.g. `shop/payments-api`.
 * @throws Error if the forge does not respond with a list.
 */
export async function listRequests(
  forge: ForgeOptions,
  { repository, signal }: { repository: string; signal: AbortSignal },
): Promise<OpenRequests> {
  const { path, query, pageOf, read } = LISTS[forge.kind];
  const fetcher = new GuardedFetch({ rules: onlyAt(apiOf(forge)) });
  const requests: EventSource[] = [];
  let url: URL | undefined = new URL(
    `${repositoryApi(forge, repository)}/${path}?${new URLSearchParams(query)}`,
  );
  for (let page = 1; url !== undefined && page <= MAX_PAGES; page += 1) {
    const { headers, body } = await fetcher.get(
      url,
      AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // GitHub refuses clients without a name.
      { 'user-agent': 'slipway-build-server', ...credentialsOf(forge) },
    );
    const content = await readJson(body);
    const { items, next } = pageOf(content, {
      url,
      link: String(headers.link ?? ''),
    });
    if (!Array.isArray(items)) {
      throw new Error('The forge did not respond with a list');
    }
    for (const item of items.filter(isJsonObject)) {
      const reading = read(item, repository);
      requests.push(...(reading.kind === 'builds' ? reading.sources : []));
    }
    url = next;
  }
  return { requests, isComplete: url === undefined };
}

/**
 * Allows requests to the API that the operator configured, but no redirects or further pages
 * elsewhere.
 */
function onlyAt(api: string): AddressRules {
  const { origin } = new URL(api);
  return { judge: url => (url.origin === origin ? 'trusted' : 'refused') };
}

async function readJson(
  body: AsyncIterable<Buffer> & { destroy(): void },
): Promise<unknown> {
  let left = MAX_PAGE_BYTES;
  async function* bounded() {
    for await (const chunk of body) {
      left -= chunk.length;
      if (left < 0) {
        throw new Error('The forge responded with too much');
      }
      yield chunk;
    }
  }
  return JSON.parse((await buffer(bounded())).toString('utf8'));
}

/**
 * Creates the list of GitHub, Gitea and Forgejo, which use different parameters for the page size.
 */
function pullsBy(size: 'per_page' | 'limit'): RequestList {
  return {
    path: 'pulls',
    query: { state: 'open', [size]: PAGE_SIZE, page: '1' },
    pageOf: pageOfArray,
    read: (item, repository) =>
      readEvent(
        {
          action: 'opened',
          number: item.number,
          pull_request: item,
          repository: { full_name: repository },
        },
        { event: 'pull_request', isForge: true },
      ),
  };
}

/** Reads a page that is an array, whose `Link` header says whether another page follows. */
function pageOfArray(
  content: unknown,
  { url, link }: { url: URL; link: string },
): { items: unknown; next?: URL } {
  const page = Number(url.searchParams.get('page'));
  const isLast = !/rel="?next"?/.test(link);
  return {
    items: content,
    next: isLast ? undefined : withQuery(url, 'page', page + 1),
  };
}

/** @throws Error if the value is not a number. */
function withQuery(address: URL, name: string, value: unknown): URL {
  if (!Number.isSafeInteger(value)) {
    throw new Error('The forge does not tell where its next page starts');
  }
  const url = new URL(address);
  url.searchParams.set(name, String(value));
  return url;
}

const SHORTENED = /^[0-9a-f]{7,39}$/;

/** Checks whether a list contains only the first digits of a commit id. */
export function isShortened({ source: { after = '' } }: EventSource): boolean {
  return SHORTENED.test(after);
}

/**
 * Completes a shortened commit id if it is still the head of its branch; otherwise the next poll
 * does.
 */
export function completed(
  found: EventSource,
  heads: ReadonlyMap<string, string>,
): EventSource {
  const { ref = '', after = '', pullRequest } = found.source;
  const isInFork = pullRequest?.fork !== undefined;
  const head = heads.get(isInFork ? `refs/heads/${pullRequest.branch}` : ref);
  return isShortened(found) && head?.startsWith(after)
    ? { ...found, source: { ...found.source, after: head } }
    : found;
}
