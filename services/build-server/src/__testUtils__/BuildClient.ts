import { setTimeout as sleep } from 'node:timers/promises';
import { patient } from '@slipway/dev-runner/src/patience.ts';
import { basic, TRIGGER_TOKEN } from './startBuildServer.ts';

const WAIT_MS = patient(60_000);
const SHORTEST_PAUSE_MS = 40;
/**
 * The next pause between polls, as a fraction of the time waited so far. Halving this and the shortest
 * pause took a fifth more requests and a tenth more CPU time.
 */
const LONGER = 1 / 2;
/** The end of a long build is noticed within this time. */
const LONGEST_PAUSE_MS = 2_000;

/** A response whose body has been read. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever a test expects
  body: any;
}

/** Sends requests to a server under test, by default as the user `dev`. */
export class BuildClient {
  readonly url: string;
  readonly #authorization: string | undefined;

  constructor(
    url: string,
    authorization: string | null = basic('dev', TRIGGER_TOKEN),
  ) {
    this.url = url;
    this.#authorization = authorization ?? undefined;
  }

  async send(
    method: string,
    path: string,
    options: {
      body?: string | Buffer<ArrayBuffer> | URLSearchParams;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.#authorization && { authorization: this.#authorization }),
        ...options.headers,
      },
      body: options.body,
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string): Promise<Answer> {
    return this.send('POST', path);
  }

  form(path: string, fields: Record<string, string>): Promise<Answer> {
    return this.send('POST', path, { body: new URLSearchParams(fields) });
  }

  json(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.send('POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Triggers a job. @returns the path of its queue item. */
  async trigger(
    job: string,
    fields: Record<string, string> = {},
  ): Promise<string> {
    const answer = await this.form(`/job/${job}/buildWithParameters`, fields);
    if (answer.status !== 201) {
      throw new Error(`Triggering answered ${answer.status}: ${answer.text}`);
    }
    return new URL(answer.headers.get('location')!).pathname;
  }

  /** Waits until a queue item has left the queue. @returns the path of its build. */
  async started(item: string): Promise<string> {
    const { body } = await this.#until(
      () => this.get(`${item}api/json`),
      ({ body: { executable } }) => executable !== null,
    );
    return new URL(body.executable.url).pathname;
  }

  /** Waits until a build has ended. @returns its JSON. */
  async ended(build: string): Promise<Answer['body']> {
    const { body } = await this.#until(
      () => this.get(`${build}api/json`),
      ({ body: { building } }) => building === false,
    );
    return body;
  }

  /** Triggers a job and waits until its build has ended. @returns its JSON. */
  async build(
    job: string,
    fields: Record<string, string> = {},
  ): Promise<Answer['body']> {
    return this.ended(await this.started(await this.trigger(job, fields)));
  }

  async log(build: string): Promise<string> {
    return (await this.get(`${build}consoleText`)).text;
  }

  /** Waits until the log of a build contains a text. @returns the log. */
  async logHas(build: string, text: string): Promise<string> {
    const answer = await this.#until(
      () => this.get(`${build}consoleText`),
      found => found.text.includes(text),
    );
    return answer.text;
  }

  async #until(
    ask: () => Promise<Answer>,
    done: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const begun = Date.now();
    for (;;) {
      const answer = await ask();
      const waited = Date.now() - begun;
      if (answer.status === 200 && done(answer)) {
        return answer;
      }
      if (waited > WAIT_MS) {
        throw new Error(`It does not come: ${answer.status} ${answer.text}`);
      }
      const pause = Math.max(SHORTEST_PAUSE_MS, waited * LONGER);
      await sleep(Math.min(pause, LONGEST_PAUSE_MS));
    }
  }
}
