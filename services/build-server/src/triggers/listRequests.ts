import { buffer } from 'node:stream/consumers';
import { type AddressRules, GuardedFetch } from '@slipway/platform-guards';
import type { ForgeOptions } from '../config.ts';
import { apiOf, credentialsOf } from '../reporting/commitStatus.ts';
import { type EventSource, isObject, type Payload } from './eventReading.ts';
import { readEvent } from './forgeEvents.ts';

const TIMEOUT_MS = 30_000;
const PAGE_SIZE = 50;
/** A repository has a job for each of at most 500 branches and pull requests. */
const MAX_PAGES = 10;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** The open pull or merge requests of a repository. */
interface OpenRequests {
  requests: EventSource[];
  /** False if there are more. */
  isComplete: boolean;
}

/**
 * Asks the API of a forge for the open pull or merge requests of a repository.
 *
 * @param repository - full name, e.g. `shop/payments-api`.
 * @throws Error if the forge does not respond with a list.
 */
export async function listRequests(
  forge: ForgeOptions,
  { repository, signal }: { repository: string; signal: AbortSignal },
): Promise<OpenRequests> {
  const fetcher = new GuardedFetch({ rules: onlyAt(apiOf(forge)) });
  const requests: EventSource[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await fetcher.get(
      pageOf(forge, { repository, page }),
      AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // GitHub refuses clients without a name.
      { 'user-agent': 'slipway-build-server', ...credentialsOf(forge) },
    );
    const items = await readList(answer.body);
    requests.push(
      ...items.flatMap(item => readItem(forge, { item, repository })),
    );
    if (!/rel="?next"?/.test(String(answer.headers.link ?? ''))) {
      return { requests, isComplete: true };
    }
  }
  return { requests, isComplete: false };
}

/** Allows requests to the API that the operator configured, and no redirects to elsewhere. */
function onlyAt(api: string): AddressRules {
  const { origin } = new URL(api);
  return { judge: url => (url.origin === origin ? 'trusted' : 'refused') };
}

function pageOf(
  forge: ForgeOptions,
  { repository, page }: { repository: string; page: number },
): URL {
  const path =
    forge.kind === 'gitlab'
      ? `projects/${encodeURIComponent(repository)}/merge_requests`
      : `repos/${repository.split('/').map(encodeURIComponent).join('/')}/pulls`;
  const url = new URL(`${apiOf(forge)}/${path}`);
  const { kind } = forge;
  url.searchParams.set('state', kind === 'gitlab' ? 'opened' : 'open');
  // Gitea and Forgejo name it differently.
  const isGitea = kind === 'gitea' || kind === 'forgejo';
  url.searchParams.set(isGitea ? 'limit' : 'per_page', String(PAGE_SIZE));
  url.searchParams.set('page', String(page));
  return url;
}

async function readList(
  body: AsyncIterable<Buffer> & { destroy(): void },
): Promise<Payload[]> {
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
  const value: unknown = JSON.parse((await buffer(bounded())).toString('utf8'));
  if (!Array.isArray(value)) {
    throw new Error('The forge did not respond with a list');
  }
  return value.filter(isObject);
}

/** Reads a request as if its webhook had just arrived. */
function readItem(
  { kind }: ForgeOptions,
  { item, repository }: { item: Payload; repository: string },
): EventSource[] {
  const reading =
    kind === 'gitlab'
      ? readEvent(
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
        )
      : readEvent(
          {
            action: 'opened',
            number: item.number,
            pull_request: item,
            repository: { full_name: repository },
          },
          { event: 'pull_request', isForge: true },
        );
  return reading.kind === 'builds' ? reading.sources : [];
}
