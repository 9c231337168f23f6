import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface FakeIssue {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  labels: { name: string }[];
  html_url: string;
  created_at: string;
  updated_at: string;
  pull_request?: object;
}

export const GITHUB_TOKEN = 'ghp_test';

/**
 * The part of GitHub's REST API that the tracker uses; responds with 4xx to unexpected requests.
 */
export class FakeGitHub {
  readonly issues: FakeIssue[] = [];
  /** Results of the next creations, in order; once it is empty, creations succeed. */
  readonly creations: ('lost' | 'refused' | 'failed')[] = [];
  /** Responds to searches with an error while true. */
  isSearchBroken = false;
  /** Never responds while true. */
  isSilent = false;
  /** Called after an issue was created, before the response is sent. */
  onCreated: (() => Promise<void>) | undefined;
  readonly #server = createServer((request, response) => {
    if (this.isSilent) {
      return;
    }
    void this.#answer(request).then(
      ({ status, body, next }) => {
        response.writeHead(status, {
          'content-type': 'application/json',
          ...(next && { link: `<${this.url}${next}>; rel="next"` }),
        });
        response.end(JSON.stringify(body));
      },
      // Closes the connection, as if the response were lost.
      () => request.socket.destroy(),
    );
  });

  /** The address of its API. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return this.url;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }

  add(issue: Partial<FakeIssue>): FakeIssue {
    const number = this.issues.length + 1;
    const now = new Date().toISOString();
    const added: FakeIssue = {
      number,
      title: '',
      body: '',
      state: 'open',
      labels: [],
      html_url: `https://github.example/acme/portal/issues/${number}`,
      created_at: now,
      updated_at: now,
      ...issue,
    };
    this.issues.push(added);
    return added;
  }

  async #answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: unknown; next?: string }> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.headers.authorization !== `token ${GITHUB_TOKEN}`) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    if (url.pathname !== '/repos/acme/portal/issues') {
      return { status: 404, body: { message: 'Not Found' } };
    }
    if (request.method === 'POST') {
      return this.#create(JSON.parse(await text(request)));
    }
    return this.isSearchBroken
      ? { status: 502, body: { message: 'Server Error' } }
      : { status: 200, ...this.#list(url) };
  }

  async #create(body: {
    title: string;
    body: string;
    labels: string[];
  }): Promise<{ status: number; body: unknown }> {
    const outcome = this.creations.shift();
    if (outcome === 'refused') {
      return { status: 422, body: { message: 'Validation Failed' } };
    }
    if (outcome === 'failed') {
      return { status: 502, body: { message: 'Server Error' } };
    }
    const issue = this.add({
      ...body,
      labels: body.labels.map(name => ({ name })),
    });
    await this.onCreated?.();
    if (outcome === 'lost') {
      throw new Error('lost');
    }
    return { status: 201, body: issue };
  }

  /** Returns one page, and the address of the next one for the Link header, like GitHub. */
  #list(url: URL): { body: FakeIssue[]; next?: string } {
    const query = url.searchParams;
    const page = Number(query.get('page') ?? 1);
    const size = Number(query.get('per_page') ?? 30);
    const found = this.issues
      .filter(
        ({ labels, state, updated_at }) =>
          labels.some(({ name }) => name === query.get('labels')) &&
          (query.get('state') === 'all' || state === query.get('state')) &&
          updated_at >= (query.get('since') ?? ''),
      )
      .reverse();
    const following = new URL(url);
    following.searchParams.set('page', String(page + 1));
    return {
      body: found.slice((page - 1) * size, page * size),
      ...(found.length > page * size && {
        next: following.pathname + following.search,
      }),
    };
  }
}
