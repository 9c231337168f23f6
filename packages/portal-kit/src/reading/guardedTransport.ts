import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { InputError } from '@backstage/errors';
import {
  AddressRefusedError,
  AddressRules,
  admit,
  GuardedFetch,
  PrivateAddressError,
} from '@slipway/platform-guards';
import { limited } from './readWithin';

/** The rules for the requests of one call of {@link underRules}, and the refusal if there was one. */
interface Guard {
  rules: AddressRules;
  mayKnowCredentials: (url: URL) => boolean;
  maxBytes?: number;
  fault?: Error;
}

const current = new AsyncLocalStorage<Guard>();

/** Transports that have already been patched to follow the active rules. */
const guarded = new WeakSet<object>();

/** Headers with which readers authenticate to forges. */
const CREDENTIALS = ['authorization', 'cookie', 'private-token', 'x-api-key'];

/** Statuses of responses without a body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

/**
 * Runs third-party code that sends requests and follows redirects itself, and applies address rules to
 * each request: those of the global `fetch`, and those of `node:http` and `node:https` that use the
 * global agents, such as `node-fetch`'s. Requests of other code are not affected.
 *
 * @param options.mayKnowCredentials - whether credentials may be sent to an address, which may come
 *   from a redirect or a response.
 * @param options.maxBytes - maximum size of one response to `fetch`, after decompression.
 * @throws AddressRefusedError naming the address, even if the code swallowed the refusal; InputError if
 *   a response was too large; otherwise the code's own error.
 */
export async function underRules<T>(
  options: Omit<Guard, 'fault'>,
  work: () => Promise<T>,
): Promise<T> {
  guardFetch();
  guardAgent(http.globalAgent);
  guardAgent(https.globalAgent);
  const guard: Guard = { ...options };
  try {
    return await current.run(guard, work);
  } catch (error) {
    throw guard.fault ?? error;
  }
}

/** Replaces the global `fetch` with one that follows the active rules, if there are any. */
function guardFetch(): void {
  const plain = globalThis.fetch;
  if (guarded.has(plain)) {
    return;
  }
  const fetchByRules: typeof fetch = async (input, init) => {
    const guard = current.getStore();
    return guard
      ? fetchUnder(guard, new Request(input, init))
      : plain(input, init);
  };
  guarded.add(fetchByRules);
  globalThis.fetch = fetchByRules;
}

async function fetchUnder(guard: Guard, request: Request): Promise<Response> {
  const { method, redirect, signal } = request;
  const url = new URL(request.url);
  if (!guard.mayKnowCredentials(url)) {
    CREDENTIALS.forEach(name => request.headers.delete(name));
  }
  try {
    const answer = await new GuardedFetch(guard).send(url, {
      method,
      signal,
      follow: redirect === 'follow',
      headers: Object.fromEntries(request.headers),
      ...(request.body && { body: Buffer.from(await request.arrayBuffer()) }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      headers.set(name, String(value));
    }
    const { status } = answer;
    if (method === 'HEAD' || WITHOUT_BODY.has(status)) {
      answer.body.destroy();
      return new Response(null, { status, headers });
    }
    const body = guard.maxBytes
      ? limited(answer.body, guard.maxBytes, () => {
          guard.fault = new InputError(
            `${request.url} is larger than ${guard.maxBytes} bytes`,
          );
          return guard.fault;
        })
      : answer.body;
    return new Response(Readable.toWeb(body) as ReadableStream, {
      status,
      statusText: http.STATUS_CODES[status],
      headers,
    });
  } catch (error) {
    if (error instanceof AddressRefusedError) {
      guard.fault = error;
    }
    throw error;
  }
}

/** Called by Node.js for each request to find a connection; missing from its types. */
type AddRequest = (
  request: http.ClientRequest,
  options: http.RequestOptions,
  ...rest: unknown[]
) => void;

/** Makes an agent pass requests under rules to an agent that enforces them. */
function guardAgent(plainAgent: http.Agent): void {
  const agent = plainAgent as http.Agent & { addRequest: AddRequest };
  if (guarded.has(agent)) {
    return;
  }
  const plain = agent.addRequest;
  agent.addRequest = function addRequest(request, options, ...rest) {
    const guard = current.getStore();
    const chosen = guard ? agentFor(request, options, guard) : agent;
    const add = guard ? (chosen as typeof agent).addRequest : plain;
    add.call(chosen, request, options, ...rest);
  };
  guarded.add(agent);
}

/** Creates an agent for a single request; pooled connections were checked under other rules. */
function agentFor(
  request: http.ClientRequest,
  options: http.RequestOptions,
  guard: Guard,
): http.Agent {
  const url = urlOf(request, options);
  const { Agent } = request.protocol === 'https:' ? https : http;
  try {
    const lookup = admit(url, guard);
    if (!guard.mayKnowCredentials(url)) {
      CREDENTIALS.forEach(name => request.removeHeader(name));
    }
    request.once('error', cause => {
      if (cause instanceof PrivateAddressError) {
        guard.fault = new AddressRefusedError(url, { cause });
      }
    });
    return new Agent(lookup && { lookup });
  } catch (error) {
    guard.fault = error as Error;
    const refusing = new Agent();
    refusing.createConnection = (_, connected) => {
      process.nextTick(() => connected?.(error as Error, null as never));
      return undefined;
    };
    return refusing;
  }
}

function urlOf(request: http.ClientRequest, options: http.RequestOptions): URL {
  const host = options.host ?? 'localhost';
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const port = options.port ? `:${options.port}` : '';
  return new URL(`${request.protocol}//${name}${port}${request.path}`);
}
