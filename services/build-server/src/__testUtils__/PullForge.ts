import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ForgeOptions } from '../config.ts';

/** A pull request as a test describes it. */
interface TestRequest {
  number: number;
  sha: string;
  branch: string;
  isFork?: boolean;
  /** True if its fork was deleted. */
  isGone?: boolean;
}

/** A page of the list, which contains one request. */
interface Page {
  /** Counted from 0. */
  index: number;
  items: object[];
  /** Undefined for the last page. */
  next?: URL;
}

/** How the open requests of a kind of forge are listed, and the shape of its responses. */
interface Way {
  path: string;
  query: Record<string, string>;
  /** The parameter that selects a page, and its value for the first one. */
  page: [name: string, first: number];
  credential: [header: string, value: string];
  /** The path that receives statuses of commits. */
  statuses: RegExp;
  describe(request: TestRequest): object;
  /** Returns the body of a page; by default an array, sent with a `Link` header. */
  present?(page: Page): object;
}

/** GitHub's API; Gitea and Forgejo differ only in the names of parameters. */
const PULLS: Way = {
  path: '/repos/shop/pulls',
  query: { state: 'open', per_page: '50' },
  page: ['page', 1],
  credential: ['authorization', 'Bearer forge-token'],
  statuses: /^\/repos\/shop\/statuses\/[0-9a-f]{40}$/,
  describe: ({ number, sha, branch, isFork }) => ({
    ...{ id: number + 1_000, number, state: 'open', title: `Add ${branch}` },
    html_url: `https://forge.example.org/shop/pull/${number}`,
    user: { login: 'ada' },
    head: { ref: branch, sha, repo: { id: isFork ? 8 : 7 } },
    base: { ref: 'main', sha: '0'.repeat(40), repo: { id: 7 } },
  }),
};

const GITEA: Way = {
  ...PULLS,
  query: { state: 'open', limit: '50' },
  credential: ['authorization', 'token forge-token'],
};

const WAYS: Readonly<Record<ForgeOptions['kind'], Way>> = {
  github: PULLS,
  gitea: GITEA,
  forgejo: GITEA,
  gitlab: {
    path: '/projects/shop/merge_requests',
    query: { state: 'opened', per_page: '50' },
    page: ['page', 1],
    credential: ['private-token', 'forge-token'],
    statuses: /^\/projects\/shop\/statuses\/[0-9a-f]{40}$/,
    describe: ({ number, sha, branch, isFork = false }) => ({
      ...{ id: number + 1_000, iid: number, sha, state: 'opened' },
      ...{
        source_branch: branch,
        target_branch: 'main',
        title: `Add ${branch}`,
      },
      ...{ source_project_id: isFork ? 8 : 7, target_project_id: 7 },
      web_url: `https://forge.example.org/shop/-/merge_requests/${number}`,
      author: { id: 1, username: 'ada' },
    }),
  },
  'bitbucket-cloud': {
    path: '/repositories/acme/shop/pullrequests',
    query: { state: 'OPEN', pagelen: '50' },
    page: ['page', 1],
    credential: ['authorization', 'Bearer forge-token'],
    statuses:
      /^\/repositories\/(?:acme|ada)\/shop\/commit\/[0-9a-f]{40}\/statuses\/build$/,
    describe: ({ number, sha, branch, isFork, isGone }) => ({
      ...{ type: 'pullrequest', id: number, state: 'OPEN' },
      title: `Add ${branch}`,
      links: {
        html: {
          href: `https://bitbucket.org/acme/shop/pull-requests/${number}`,
        },
      },
      author: { nickname: 'ada', uuid: '{ada}' },
      source: {
        branch: { name: branch },
        // The API shortens ids of commits in pull requests.
        commit: { type: 'commit', hash: sha.slice(0, 12) },
        repository: isGone
          ? null
          : {
              uuid: isFork ? '{fork}' : '{shop}',
              full_name: isFork ? 'ada/shop' : 'acme/shop',
            },
      },
      destination: {
        branch: { name: 'main' },
        commit: { type: 'commit', hash: '0'.repeat(12) },
        repository: { uuid: '{shop}', full_name: 'acme/shop' },
      },
    }),
    present: ({ index, items, next }) => ({
      ...{ values: items, pagelen: 50, page: index + 1 },
      ...(next && { next: next.href }),
    }),
  },
  'bitbucket-server': {
    path: '/projects/acme/repos/shop/pull-requests',
    query: { state: 'OPEN', limit: '50' },
    page: ['start', 0],
    credential: ['authorization', 'Bearer forge-token'],
    statuses: /^\/projects\/acme\/repos\/shop\/commits\/[0-9a-f]{40}\/builds$/,
    describe: ({ number, sha, branch, isFork }) => ({
      ...{ id: number, state: 'OPEN', title: `Add ${branch}` },
      links: {
        self: [
          {
            href: `https://forge.example.org/projects/ACME/repos/shop/pull-requests/${number}`,
          },
        ],
      },
      author: { role: 'AUTHOR', user: { name: 'ada' } },
      fromRef: {
        ...{ id: `refs/heads/${branch}`, displayId: branch, latestCommit: sha },
        repository: {
          id: isFork ? 8 : 7,
          slug: 'shop',
          project: { key: isFork ? '~ADA' : 'ACME' },
        },
      },
      toRef: {
        ...{ id: 'refs/heads/main', displayId: 'main' },
        latestCommit: '0'.repeat(40),
        repository: { id: 7, slug: 'shop', project: { key: 'ACME' } },
      },
    }),
    present: ({ index, items, next }) => ({
      ...{ values: items, size: items.length, limit: 50, start: index },
      isLastPage: next === undefined,
      nextPageStart: next ? index + 1 : null,
    }),
  },
};

/**
 * A fake forge that lists open pull requests, one per page, and accepts commit statuses. It
 * validates each call like the real one.
 */
export class PullForge {
  /** The open requests; tests change them. */
  requests: TestRequest[] = [];
  /** Status of every response other than 200, e.g. to simulate an outage. */
  status = 200;
  /** Origin of the links to further pages; its own by default. */
  pagesAt?: string;
  /** Sent in place of a page. */
  page?: object;
  /** Number of calls. */
  calls = 0;
  /** Reasons for which calls were refused. */
  readonly refused: string[] = [];
  /** Paths of the commit statuses that it accepted. */
  readonly statuses: string[] = [];
  readonly url: string;
  readonly #way: Way;
  readonly #server: Server;

  private constructor(way: Way, server: Server) {
    this.#way = way;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) =>
      this.#answer(request, response),
    );
  }

  static async start(kind: ForgeOptions['kind']): Promise<PullForge> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PullForge(WAYS[kind], server);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.calls += 1;
    const { path, query, page, credential, statuses } = this.#way;
    const url = new URL(request.url!, this.url);
    const [header, value] = credential;
    const isKnown = request.headers[header] === value;
    const isStatus = request.method === 'POST' && statuses.test(url.pathname);
    if (isStatus && isKnown) {
      this.statuses.push(url.pathname);
      response.writeHead(201).end('{}');
      return;
    }
    const [name, first] = page;
    const { [name]: asked = String(first), ...others } = Object.fromEntries(
      url.searchParams,
    );
    const fault = [
      request.method !== 'GET' && `method ${request.method}`,
      url.pathname !== path && `path ${url.pathname}`,
      JSON.stringify(others) !== JSON.stringify(query) && `query ${url.search}`,
      !(/^\d+$/.test(asked) && Number(asked) >= first) && `page ${asked}`,
      !isKnown && 'credential',
      !request.headers['user-agent'] && 'user agent',
    ].find(Boolean);
    if (fault) {
      this.refused.push(fault);
      response.writeHead(422).end();
      return;
    }
    this.#list(Number(asked) - first, { url, response });
  }

  #list(
    index: number,
    { url, response }: { url: URL; response: ServerResponse },
  ): void {
    const {
      page: [name, first],
      describe,
      present,
    } = this.#way;
    const items = this.requests.slice(index, index + 1).map(describe);
    const next =
      index + 1 < this.requests.length
        ? new URL(`${url.pathname}${url.search}`, this.pagesAt ?? this.url)
        : undefined;
    next?.searchParams.set(name, String(index + 1 + first));
    if (!present && next) {
      response.setHeader(
        'link',
        `<${next}>; rel="next", <${next}>; rel="last"`,
      );
    }
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(this.page ?? present?.({ index, items, next }) ?? items),
    );
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
