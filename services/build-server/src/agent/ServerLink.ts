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
/** Long enough for files of hundreds of megabytes. */
const FILE_TIMEOUT_MS = 600_000;

/** Thrown for an error response of the server. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Checks whether the server refused a request permanently, as opposed to not responding or being
 * busy.
 */
export function isRefusal(error: unknown): error is RefusedError {
  return (
    error instanceof RefusedError && error.status < 500 && error.status !== 429
  );
}

/** Checks whether the server has removed the agent, or given its place or its build to another one. */
export function isDismissal(error: unknown): boolean {
  return error instanceof RefusedError && [401, 409].includes(error.status);
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
    return jsonOf(
      await send('POST', `${url}/agent/enrolment`, { json: request }),
    );
  }

  async begin(agent: {
    capacity: number;
    version: string;
    executor: ExecutorsStatus;
  }): Promise<{ name: string; leaseMs: number }> {
    const { session } = this;
    const json = { ...agent, session, protocol: PROTOCOL.newest };
    return jsonOf(await this.#send('POST', '/agent/session', { json }));
  }

  /** Long-polls for builds. */
  async work(
    request: { free: number; waitMs: number },
    signal: AbortSignal,
  ): Promise<Order[]> {
    const response = await this.#send('POST', '/agent/work', {
      json: { ...request, session: this.session },
      timeoutMs: TIMEOUT_MS + request.waitMs,
      signal,
    });
    return (await jsonOf<{ orders: Order[] }>(response)).orders;
  }

  /**
   * Renews the lease on builds.
   *
   * @param withinMs - the time after which it gives up, if shorter than the usual timeout.
   * @returns the builds that the agent still owns.
   */
  async renew(
    builds: readonly number[],
    withinMs: number,
  ): Promise<HeldBuild[]> {
    const response = await this.#send('POST', '/agent/renewal', {
      json: { session: this.session, builds },
      timeoutMs: Math.min(withinMs, TIMEOUT_MS),
    });
    return (await jsonOf<{ builds: HeldBuild[] }>(response)).builds;
  }

  async accept(claim: AgentClaim): Promise<void> {
    await this.#send('POST', this.#of(claim, 'acceptance'), { json: {} });
  }

  async progress(claim: AgentClaim, progress: object): Promise<void> {
    await this.#send('PUT', this.#of(claim, 'progress'), { json: progress });
  }

  /** Requests the decision about an approval step. @returns undefined while it is pending. */
  async ask(
    claim: AgentClaim,
    gate: { step: string; approval: Approval },
  ): Promise<Decision | undefined> {
    const path = this.#of(claim, 'gates');
    const response = await this.#send('POST', path, { json: gate });
    const { decision } = await jsonOf<{ decision: Decision | null }>(response);
    return decision ?? undefined;
  }

  async finish(claim: AgentClaim, outcome: object): Promise<void> {
    await this.#send('PUT', this.#of(claim, 'outcome'), { json: outcome });
  }

  /** Sends a part of the log. @returns the offset of the next part, in bytes. */
  async log(claim: AgentClaim, offset: number, part: Buffer): Promise<number> {
    const path = `${this.#of(claim, 'log')}&offset=${offset}`;
    const bytes = new Blob([new Uint8Array(part)]);
    const response = await this.#send('PUT', path, { bytes });
    return (await jsonOf<{ end: number }>(response)).end;
  }

  /** @param file - absolute. */
  async artifact(claim: AgentClaim, name: string, file: string): Promise<void> {
    const encoded = name.split('/').map(encodeURIComponent).join('/');
    await this.#send('PUT', this.#of(claim, `artifacts/${encoded}`), {
      bytes: await openAsBlob(file),
      timeoutMs: FILE_TIMEOUT_MS,
    });
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
    try {
      await this.#send('PUT', this.#of(claim, `caches/${name}/${key}`), {
        bytes: Readable.toWeb(Readable.from(content)) as ReadableStream,
        timeoutMs: FILE_TIMEOUT_MS,
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
    const response = await this.#send('GET', path);
    const { found } = await jsonOf<{ found: FoundArtifacts | null }>(response);
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

  /** Requests a file. @returns undefined if not found. */
  async #open(path: string): Promise<Response | undefined> {
    try {
      return await this.#send('GET', path, { timeoutMs: FILE_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof RefusedError && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  #of({ id, attempt }: AgentClaim, what: string): string {
    return `/agent/builds/${id}/${what}?session=${this.session}&attempt=${attempt}`;
  }

  #send(
    method: string,
    path: string,
    options: Omit<SendOptions, 'token'> = {},
  ): Promise<Response> {
    const token = this.#token;
    return send(method, this.#url + path, { ...options, token });
  }
}

interface SendOptions {
  json?: object;
  bytes?: Blob | ReadableStream;
  token?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** @throws RefusedError for an error response; TypeError if there is no response. */
async function send(
  method: string,
  url: string,
  options: SendOptions,
): Promise<Response> {
  const { json, bytes, token, timeoutMs = TIMEOUT_MS, signal } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json && { 'content-type': 'application/json' }),
      ...(bytes && { 'content-type': 'application/octet-stream' }),
    },
    body: json ? JSON.stringify(json) : bytes,
    // Node requires this for a body of unknown length.
    ...{ duplex: 'half' },
    redirect: 'error',
    signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
  });
  if (!response.ok) {
    const { status } = response;
    const message = messageOf(await response.text());
    throw new RefusedError(status, message ?? `${status}`);
  }
  return response;
}

function jsonOf<T>(response: Response): Promise<T> {
  return response.json() as Promise<T>;
}

async function* contentOf({ body }: Response): AsyncGenerator<Buffer> {
  for await (const chunk of body ?? []) {
    yield Buffer.from(chunk);
  }
}

function messageOf(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
