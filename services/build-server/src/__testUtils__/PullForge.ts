import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ForgeOptions } from '../config.ts';

/** The forges that are asked for open requests. */
type PolledKind = Exclude<
  ForgeOptions['kind'],
  'bitbucket-cloud' | 'bitbucket-server'
>;

/** A pull request as a test describes it. */
interface TestRequest {
  number: number;
  sha: string;
  branch: string;
  isFork?: boolean;
}

/** How each forge is asked for open requests, and how it describes one. */
const WAYS: Readonly<
  Record<
    PolledKind,
    {
      path: string;
      query: Record<string, string>;
      credential: [header: string, value: string];
      describe(request: TestRequest): object;
    }
  >
> = {
  github: {
    path: '/repos/shop/pulls',
    query: { state: 'open', per_page: '50' },
    credential: ['authorization', 'Bearer forge-token'],
    describe: describePull,
  },
  gitea: {
    path: '/repos/shop/pulls',
    query: { state: 'open', limit: '50' },
    credential: ['authorization', 'token forge-token'],
    describe: describePull,
  },
  forgejo: {
    path: '/repos/shop/pulls',
    query: { state: 'open', limit: '50' },
    credential: ['authorization', 'token forge-token'],
    describe: describePull,
  },
  gitlab: {
    path: '/projects/shop/merge_requests',
    query: { state: 'opened', per_page: '50' },
    credential: ['private-token', 'forge-token'],
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
};

function describePull({ number, sha, branch, isFork }: TestRequest): object {
  return {
    ...{ id: number + 1_000, number, state: 'open', title: `Add ${branch}` },
    html_url: `https://forge.example.org/shop/pull/${number}`,
    user: { login: 'ada' },
    head: { ref: branch, sha, repo: { id: isFork ? 8 : 7 } },
    base: { ref: 'main', sha: '0'.repeat(40), repo: { id: 7 } },
  };
}

/**
 * A forge that lists open pull requests, one on a page, and accepts statuses of commits. It checks
 * each call like the real one.
 */
export class PullForge {
  /** What it knows; tests change it. */
  requests: TestRequest[] = [];
  /** Answers with this status instead, e.g. while it is down. */
  status = 200;
  /** Why calls were refused. */
  readonly refused: string[] = [];
  readonly url: string;
  readonly #kind: PolledKind;
  readonly #server: Server;

  private constructor(kind: PolledKind, server: Server) {
    this.#kind = kind;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (request, response) =>
      this.#answer(request, response),
    );
  }

  static async start(kind: PolledKind): Promise<PullForge> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new PullForge(kind, server);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { path, query, credential, describe } = WAYS[this.#kind];
    const url = new URL(request.url!, this.url);
    const [header, value] = credential;
    const isKnown = request.headers[header] === value;
    const statuses = path.replace(/[^/]+$/, 'statuses/');
    const isStatus =
      request.method === 'POST' && url.pathname.startsWith(statuses);
    if (isStatus && isKnown) {
      response.writeHead(201).end('{}');
      return;
    }
    const { page, ...asked } = Object.fromEntries(url.searchParams);
    const fault = [
      request.method !== 'GET' && `method ${request.method}`,
      url.pathname !== path && `path ${url.pathname}`,
      JSON.stringify(asked) !== JSON.stringify(query) && `query ${url.search}`,
      !/^[1-9]\d*$/.test(page) && `page ${page}`,
      !isKnown && 'credential',
      !request.headers['user-agent'] && 'user agent',
    ].find(Boolean);
    if (fault) {
      this.refused.push(fault);
      response.writeHead(422).end();
      return;
    }
    const found = this.requests.slice(Number(page) - 1, Number(page));
    if (Number(page) < this.requests.length) {
      url.searchParams.set('page', String(Number(page) + 1));
      response.setHeader('link', `<${url}>; rel="next", <${url}>; rel="last"`);
    }
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found.map(describe)));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
