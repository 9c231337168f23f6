import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_ITEMS = 1_000;
const MAX_BYTES = 1_024 * 1_024;

/** A request that the fake accepted. */
export interface TakenRequest {
  path: string;
  items: Record<string, unknown>[];
}

interface Answer {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/**
 * A fake lake over real HTTP with the same limits as the real one. It recognizes duplicates by id
 * or SHA, and rejects items without a service.
 */
export class LakeStandIn {
  readonly taken: TakenRequest[] = [];
  /** The requests that started a job. */
  readonly started: { path: string; body: unknown }[] = [];
  /** Responses to send before any other, in order. */
  readonly troubles: Answer[] = [];
  /** States of the job that the next polls return. */
  jobStates: object[] = [];
  /** The responses to the preview of a deletion, one per part, in order. */
  previews: object[] = [];
  readonly #known = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<LakeStandIn> {
    const server = createServer();
    const lake = new LakeStandIn(server);
    server.on('request', async (request, response) => {
      const answer = lake.#answer(request, await bodyOf(request));
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        ...answer.headers,
      });
      response.end(JSON.stringify(answer.body));
    });
    await new Promise<void>(resolve => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return lake;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }

  #answer({ url, method, headers }: IncomingMessage, body: string): Answer {
    const path = (url ?? '').replace('/api/delivery-lake', '');
    if (headers.authorization !== 'Bearer dev-service-token') {
      return { status: 401, body: { error: 'Unknown token' } };
    }
    const trouble = this.troubles.shift();
    if (trouble) {
      return trouble;
    }
    if (
      method === 'POST' &&
      /^\/(?:replay|rebuild|people\/deletions)$/.test(path)
    ) {
      this.started.push({ path, body: JSON.parse(body) });
      return {
        status: 202,
        body: { id: 'job-1', status: 'running', done: 0, total: 0 },
      };
    }
    if (method === 'POST' && path === '/people/deletions/preview') {
      const { after } = JSON.parse(body) as { after: number };
      const part = this.previews[after];
      return part
        ? { status: 200, body: part }
        : { status: 400, body: { error: 'after is wrong' } };
    }
    if (method === 'GET' && path === '/jobs/job-1') {
      return { status: 200, body: this.jobStates.shift() ?? {} };
    }
    return /^\/(?:deployments|changes|incidents)$/.test(path)
      ? this.#ingest(path, body)
      : { status: 404, body: { error: 'Not found' } };
  }

  #ingest(path: string, body: string): Answer {
    const items: Record<string, unknown>[] = JSON.parse(body);
    if (Buffer.byteLength(body) > MAX_BYTES) {
      return { status: 413, body: { error: 'Too large' } };
    }
    if (items.length === 0 || items.length > MAX_ITEMS) {
      return { status: 400, body: { error: `${items.length} items` } };
    }
    this.taken.push({ path, items });
    const results = items.map((item, index) => {
      const key = `${path}${item.id ?? item.sha}`;
      if (path === '/deployments' && !item.service) {
        return {
          index,
          outcome: 'rejected',
          error: 'service is required',
          field: 'service',
        };
      }
      const outcome = this.#known.has(key) ? 'duplicate' : 'accepted';
      this.#known.add(key);
      return { index, outcome };
    });
    const count = (outcome: string) =>
      results.filter(result => result.outcome === outcome).length;
    return {
      status: 200,
      body: {
        accepted: count('accepted'),
        duplicates: count('duplicate'),
        stale: 0,
        rejected: count('rejected'),
        results,
      },
    };
  }
}
