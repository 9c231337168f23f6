import fc from 'fast-check';
import type { Answer } from './http/AnswerReader.ts';
import {
  Connection,
  type HostileRequest,
  type NoAnswer,
} from './http/Connection.ts';
import { judge, type ErrorFormat } from './judge.ts';
import type { RunningProcess } from './platform/Platform.ts';
import { type Ingredients, requestsOf } from './requests/requestsOf.ts';
import { nameOf, type Route } from './routes/Route.ts';

/** Maximum CPU time that a request may block the event loop, in milliseconds. */
const LONGEST_MS = 150;

/**
 * Number of times that a suspect is repeated on its own; it is reported only if it blocks each
 * time.
 */
const TRIES = 3;

/** Concurrent requests, and requests between two measurements of the event loop. */
const CONNECTIONS = 8;
const BATCH = 32;

/** Requests are generated in chunks, so that a million need not be in memory. */
const CHUNK = 256;

/** A request with an unexpected response. */
export interface Failure {
  part: string;
  route: string;
  /** The number of the request within its route, starting with 0. */
  index: number;
  request: HostileRequest;
  /** The response; missing if it does not matter. */
  answer?: Answer;
  faults: readonly string[];
}

/** The results of the requests to a route. */
export interface RouteResult {
  route: string;
  failures: readonly Failure[];
  /** The number of responses with each status. */
  statuses: ReadonlyMap<number | NoAnswer, number>;
  /** Longest time that a single request blocked the event loop, among those tested alone. */
  longestMs: number;
  requests: number;
}

/** The part under test, with the process that serves it and the rules for its responses. */
export interface Target extends Ingredients {
  part: string;
  process: RunningProcess;
  errors: ErrorFormat;
  secrets: readonly string[];
}

/** Sends requests to one route in batches, and collects the results. */
class RouteRun {
  readonly #route: Route;
  readonly #target: Target;
  readonly #connections: Connection[];
  readonly #failures: Failure[] = [];
  readonly #statuses = new Map<number | NoAnswer, number>();
  #requests = 0;
  #longestMs = 0;

  constructor(route: Route, target: Target) {
    this.#route = route;
    this.#target = target;
    const port = Number(new URL(target.process.origin).port);
    this.#connections = Array.from(
      { length: CONNECTIONS },
      () => new Connection(port),
    );
  }

  /**
   * Sends a batch of requests.
   *
   * @param from - index of the first request within the route.
   */
  async batch(
    requests: readonly HostileRequest[],
    from: number,
  ): Promise<void> {
    const { probe } = this.#target.process;
    await probe.read();
    let next = 0;
    await Promise.all(
      this.#connections.map(async connection => {
        for (let index = next++; index < requests.length; index = next++) {
          await this.#send(connection, requests[index], from + index);
        }
      }),
    );
    const { longestMs } = await probe.read();
    if (longestMs > LONGEST_MS) {
      await this.#findGuilty(requests, from);
    }
  }

  end(): RouteResult {
    this.#connections.forEach(connection => connection.close());
    return {
      route: nameOf(this.#route),
      failures: this.#failures,
      statuses: this.#statuses,
      longestMs: this.#longestMs,
      requests: this.#requests,
    };
  }

  async #send(
    connection: Connection,
    request: HostileRequest,
    index: number,
  ): Promise<void> {
    const answer = await connection.send(request);
    this.#requests += 1;
    const status = statusOf(answer);
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    const faults = this.#judge(request, answer);
    if (faults.length > 0) {
      this.#blame(request, index, faults, answer);
    }
  }

  /** Repeats each request of a batch individually, to find those that blocked the event loop. */
  async #findGuilty(
    requests: readonly HostileRequest[],
    from: number,
  ): Promise<void> {
    for (const [offset, request] of requests.entries()) {
      const heldMs = await this.#leastMs(request);
      this.#longestMs = Math.max(this.#longestMs, heldMs);
      if (heldMs > LONGEST_MS) {
        this.#blame(request, from + offset, [
          `held the event loop for ${Math.round(heldMs)} ms`,
        ]);
      }
    }
  }

  /**
   * Returns the shortest time that a request alone blocked the event loop, out of several tries.
   */
  async #leastMs(request: HostileRequest): Promise<number> {
    const { probe } = this.#target.process;
    let leastMs = Infinity;
    for (let tries = 0; tries < TRIES && leastMs > LONGEST_MS; tries += 1) {
      await probe.read();
      await this.#connections[0].send(request);
      leastMs = Math.min(leastMs, (await probe.read()).longestMs);
    }
    return leastMs;
  }

  #judge(request: HostileRequest, answer: Answer | NoAnswer): string[] {
    const { errors, secrets } = this.#target;
    return judge(request, answer, { route: this.#route, errors, secrets });
  }

  #blame(
    request: HostileRequest,
    index: number,
    faults: string[],
    answer?: Answer | NoAnswer,
  ): void {
    this.#failures.push({
      part: this.#target.part,
      route: nameOf(this.#route),
      index,
      request,
      answer: typeof answer === 'string' ? undefined : answer,
      faults,
    });
  }
}

/** Sends hostile requests to one route. The same seed generates the same requests. */
export async function fuzzRoute(
  route: Route,
  target: Target,
  options: { seed: number; requests: number },
): Promise<RouteResult> {
  const run = new RouteRun(route, target);
  const arbitrary = requestsOf(route, target);
  for (let from = 0; from < options.requests; from += CHUNK) {
    const chunk = fc.sample(arbitrary, {
      seed: (options.seed + hash(`${target.part} ${nameOf(route)}`) + from) | 0,
      numRuns: Math.min(CHUNK, options.requests - from),
    });
    for (let start = 0; start < chunk.length; start += BATCH) {
      await run.batch(chunk.slice(start, start + BATCH), from + start);
    }
  }
  return run.end();
}

function statusOf(answer: Answer | NoAnswer): number | NoAnswer {
  return typeof answer === 'string' ? answer : answer.status;
}

/** FNV-1a, so that routes get different requests. */
function hash(text: string): number {
  return [...text].reduce(
    (sum, character) => Math.imul(sum ^ character.charCodeAt(0), 0x01000193),
    0x811c9dc5,
  );
}
