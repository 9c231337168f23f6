import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ImportedEvent, ImportedPerson } from './convertRow.ts';
import { parse } from './readExport.ts';

const compress = promisify(gzip);

const TIMEOUT_MS = 60_000;
/** Delays before retries in milliseconds; retrying a request that was already stored is harmless. */
const DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Thrown if the service rejects the content of a request. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Sends past events and persons to the analytics service. */
export class ImportClient {
  readonly #project: string;
  readonly #token: string;
  readonly #delays: readonly number[];

  constructor(options: {
    url: string;
    project: string;
    token: string;
    delays?: readonly number[];
  }) {
    const { url, project, token, delays = DELAYS_MS } = options;
    this.#project = `${url.replace(/\/$/, '')}/api/projects/${encodeURIComponent(project)}`;
    this.#token = token;
    this.#delays = delays;
  }

  /** @throws RefusedError if one of the events is invalid. */
  async sendEvents(
    batch: readonly ImportedEvent[],
  ): Promise<{ duplicates?: number }> {
    return (await this.#post('/events', { batch })) as { duplicates?: number };
  }

  /** @throws RefusedError if one of the persons is invalid. */
  async sendPersons(persons: readonly ImportedPerson[]): Promise<void> {
    await this.#post('/persons', { persons });
  }

  async #post(path: string, content: object): Promise<unknown> {
    const body = new Uint8Array(await compress(JSON.stringify(content)));
    for (let attempt = 0; ; attempt += 1) {
      const delay = this.#delays.at(attempt);
      const outcome = await this.#attempt(path, body);
      if ('answer' in outcome) {
        return outcome.answer;
      }
      if (delay === undefined) {
        throw new Error(
          `${this.#project} is not available: ${outcome.reason}. Run the command again to go on from here.`,
        );
      }
      await sleep(Math.max(delay, outcome.waitMs));
    }
  }

  async #attempt(
    path: string,
    body: Uint8Array<ArrayBuffer>,
  ): Promise<{ answer: unknown } | { reason: string; waitMs: number }> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#project + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      return { reason: (error as Error).message, waitMs: 0 };
    }
    const { status, headers } = response;
    if (response.ok) {
      return { answer: parse(text) };
    }
    const { detail } = (parse(text) ?? {}) as { detail?: string };
    if (status === 429 || status >= 500) {
      const seconds = Number(headers.get('retry-after') ?? 0);
      return {
        reason: detail ?? `status ${status}`,
        waitMs: Math.min(60, Math.max(0, seconds)) * 1_000,
      };
    }
    if (status === 400 || status === 413) {
      throw new RefusedError(messageOf(detail ?? `status ${status}`));
    }
    throw new Error(`${this.#project}: ${detail ?? `status ${status}`}`);
  }
}

/** Removes the position of an event in its request from a message. */
function messageOf(detail: string): string {
  return detail.replace(/\b(?:batch|persons)\.\d+\./g, '');
}
