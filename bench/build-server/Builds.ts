import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'undici';
import { requestHeaders as headers, type RunningServer } from './servers.ts';

const TIMEOUT_MS = 180_000;

/** Returns the current time in milliseconds since the Unix epoch, with fractions. */
function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** The builds of one job of a server, requested over one persistent connection. */
export class Builds {
  readonly #client: Client;
  readonly #job: string;

  constructor({ url }: RunningServer, job: string) {
    this.#client = new Client(url);
    this.#job = `/job/${job}`;
  }

  /** Triggers a build. @returns the time at which the request was sent; see {@link wallMs}. */
  async trigger(): Promise<number> {
    const sentAt = wallMs();
    const { statusCode, body } = await this.#client.request({
      method: 'POST',
      path: `${this.#job}/build`,
      headers,
    });
    const text = await body.text();
    if (statusCode !== 201) {
      throw new Error(`A trigger was answered ${statusCode}: ${text}`);
    }
    return sentAt;
  }

  /** Waits until a build has succeeded. @throws Error if it fails. */
  async succeeded(number: number): Promise<void> {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
      const build = await this.#get(`/${number}/api/json`);
      const { building, result } = build.status === 404 ? {} : build.json();
      if (building === false && result !== 'SUCCESS') {
        const { text } = await this.#get(`/${number}/consoleText`);
        throw new Error(`Build ${number} ended ${result}:\n${text}`);
      }
      if (building === false) {
        return;
      }
      await sleep(25);
    }
    throw new Error(`Build ${number} has not ended`);
  }

  /** Returns the whole log of a build. */
  async log(number: number): Promise<string> {
    return (await this.#get(`/${number}/consoleText`)).text;
  }

  /** Returns the number of builds that were triggered. */
  async count(): Promise<number> {
    const { nextBuildNumber } = (await this.#get('/api/json')).json();
    return nextBuildNumber - 1;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  async #get(route: string) {
    const { statusCode: status, body } = await this.#client.request({
      method: 'GET',
      path: this.#job + route,
      headers,
    });
    const text = await body.text();
    return { status, text, json: () => JSON.parse(text) };
  }
}
