import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import type { HeldBuild } from '../builds/Build.ts';
import type { ExecutorsStatus } from '../execution/Executor.ts';
import { CACHE_MATCH, type Order, PROTOCOL } from '../agents/Agent.ts';
import {
  CacheError,
  type CacheKey,
  type Decision,
  type FoundArtifacts,
  type FoundCache,
} from '../execution/Exchange.ts';
import type { Approval } from '../jobs/JobStep.ts';

const TIMEOUT_MS = 15_000;
/** Allows for artifacts of hundreds of megabytes. */
const UPLOAD_TIMEOUT_MS = 600_000;

/** Thrown for an error response of the server. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Checks whether the server refused a request for good, as opposed to not responding or being busy. */
export function isRefusal(error: unknown): error is RefusedError {
  return (
    error instanceof RefusedError && error.status < 500 && error.status !== 429
  );
}

/** The claim of an agent on a build. */
export interface AgentClaim {
  id: number;
  attempt: number;
}

/**
 * Sends the requests of one agent session to the build server. Every request has a
 * timeout; the caller decides what to retry.
 */
export class ServerLink {
  readonly session: string;
  readonly #url: string;
  readonly #token: string;

  /** @param options.url - base URL of the build server, without a trailing slash. */
  constructor(options: { url: string; token: string; session: string }) {
    this.#url = options.url;
    this.#token = options.token;
    this.session = options.session;
  }

  /** Redeems a one-time token. @returns the id and the token of the agent. */
  static async enrol(
    url: string,
    request: { token: string; name: string; capacity: number },
  ): Promise<{ id: string; token: string }> {
    return (await send(`${url}/agent/enrolment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })) as { id: string; token: string };
  }

  async begin(agent: {
    capacity: number;
    version: string;
    executor: ExecutorsStatus;
  }): Promise<{ id: string; name: string; leaseMs: number }> {
    const { session } = this;
    const protocol = PROTOCOL.newest;
    return (await this.#json('POST', '/agent/session', {
      ...agent,
      session,
      protocol,
    })) as { id: string; name: string; leaseMs: number };
  }

  /** Long-polls for builds. */
  async work(
    request: { free: number; waitMs: number },
    signal: AbortSignal,
  ): Promise<Order[]> {
    const { session } = this;
    const body = { ...request, session };
    const answer = await this.#json('POST', '/agent/work', body, {
      timeoutMs: TIMEOUT_MS + request.waitMs,
      signal,
    });
    return (answer as { orders: Order[] }).orders;
  }

  async renew(
    builds: readonly number[],
  ): Promise<{ builds: HeldBuild[]; state: 'active' | 'draining' }> {
    const { session } = this;
    const body = { session, builds };
    return (await this.#json('POST', '/agent/renewal', body)) as {
      builds: HeldBuild[];
      state: 'active' | 'draining';
    };
  }

  async accept(claim: AgentClaim): Promise<void> {
    await this.#json('POST', this.#of(claim, 'acceptance'), {});
  }

  async progress(claim: AgentClaim, progress: object): Promise<void> {
    await this.#json('PUT', this.#of(claim, 'progress'), progress);
  }

  /** @returns undefined while there is no decision. */
  async ask(
    claim: AgentClaim,
    gate: { step: string; approval: Approval },
  ): Promise<Decision | undefined> {
    const answer = await this.#json('POST', this.#of(claim, 'gates'), gate);
    return (answer as { decision: Decision | null }).decision ?? undefined;
  }

  async finish(claim: AgentClaim, outcome: object): Promise<void> {
    await this.#json('PUT', this.#of(claim, 'outcome'), outcome);
  }

  /** @returns the offset of the next part of the log, in bytes. */
  async log(claim: AgentClaim, offset: number, part: Buffer): Promise<number> {
    const path = `${this.#of(claim, 'log')}&offset=${offset}`;
    const body = new Blob([new Uint8Array(part)]);
    return ((await this.#bytes(path, body, TIMEOUT_MS)) as { end: number }).end;
  }

  /** @param file - absolute. */
  async artifact(claim: AgentClaim, name: string, file: string): Promise<void> {
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    const path = this.#of(claim, `artifacts/${encoded}`);
    await this.#bytes(path, await openAsBlob(file), UPLOAD_TIMEOUT_MS);
  }

  async fetchCache(
    claim: AgentClaim,
    { name, key }: CacheKey,
  ): Promise<FoundCache | undefined> {
    const response = await this.#open(this.#of(claim, `caches/${name}/${key}`));
    return (
      response && {
        content: contentOf(response),
        isExact: response.headers.get(CACHE_MATCH) === 'exact',
      }
    );
  }

  /** @throws CacheError if the server refuses it. */
  async saveCache(
    claim: AgentClaim,
    { name, key }: CacheKey,
    content: AsyncIterable<Buffer>,
  ): Promise<void> {
    const path = this.#of(claim, `caches/${name}/${key}`);
    try {
      await send(this.#url + path, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/octet-stream',
        },
        body: Readable.toWeb(Readable.from(content)) as ReadableStream,
        // Node requires this for a body of unknown length.
        ...{ duplex: 'half' },
        signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
      });
    } catch (error) {
      if (error instanceof RefusedError && error.status === 400) {
        throw new CacheError(error.message);
      }
      throw error;
    }
  }

  /** Lists the artifacts of another job that the build may read. */
  async listArtifacts(
    claim: AgentClaim,
    job: string,
  ): Promise<FoundArtifacts | undefined> {
    const path = `${this.#of(claim, 'others')}&job=${encodeURIComponent(job)}`;
    const { found } = (await this.#json('GET', path)) as {
      found: FoundArtifacts | null;
    };
    return found ?? undefined;
  }

  async openArtifact(
    claim: AgentClaim,
    file: { job: string; number: number; path: string },
  ): Promise<AsyncIterable<Buffer> | undefined> {
    const query = new URLSearchParams({ ...file, number: `${file.number}` });
    const response = await this.#open(
      `${this.#of(claim, 'others/file')}&${query}`,
    );
    return response && contentOf(response);
  }

  /** @returns undefined if not found. @throws RefusedError */
  async #open(path: string): Promise<Response | undefined> {
    const response = await fetch(this.#url + path, {
      headers: { authorization: `Bearer ${this.#token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_TIMEOUT_MS),
    });
    if (response.ok) {
      return response;
    }
    const text = await response.text();
    if (response.status === 404) {
      return undefined;
    }
    throw new RefusedError(
      response.status,
      messageOf(text) ?? `${response.status}`,
    );
  }

  #of({ id, attempt }: AgentClaim, what: string): string {
    return `/agent/builds/${id}/${what}?session=${this.session}&attempt=${attempt}`;
  }

  #json(
    method: string,
    path: string,
    body?: object,
    limits: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<unknown> {
    const { timeoutMs = TIMEOUT_MS, signal } = limits;
    return send(this.#url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.any([
        AbortSignal.timeout(timeoutMs),
        ...(signal ? [signal] : []),
      ]),
    });
  }

  #bytes(path: string, body: Blob, timeoutMs: number): Promise<unknown> {
    return send(this.#url + path, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/octet-stream',
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
  }
}

async function* contentOf({ body }: Response): AsyncGenerator<Buffer> {
  for await (const chunk of body ?? []) {
    yield Buffer.from(chunk);
  }
}

/** @throws RefusedError for an error response; TypeError if there is no response. */
async function send(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
    ...init,
  });
  const text = await response.text();
  if (!response.ok) {
    throw new RefusedError(
      response.status,
      messageOf(text) ?? `${response.status}`,
    );
  }
  return text === '' ? undefined : JSON.parse(text);
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
