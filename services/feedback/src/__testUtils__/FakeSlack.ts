import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const SLACK_TOKEN = 'xoxb-test';
export const SLACK_SECRET = 'slack-signing-secret';
export const BOT_USER = 'UBOT';

interface PostedMessage {
  channel: string;
  text: string;
  thread_ts: string;
}

/** A fake Slack: its Web API, which checks the token, and its events, which it signs. */
export class FakeSlack {
  readonly posted: PostedMessage[] = [];
  /**
   * Statuses of the next responses to `chat.postMessage`; once it is empty, messages are accepted.
   */
  readonly refusals: number[] = [];
  /** The `Retry-After` of 429 responses, in seconds. */
  retryAfter = 1;
  /** Responds to everything with 503 while true. */
  isDown = false;
  /** Number of further requests to `chat.postMessage` that get no response. */
  silences = 0;
  readonly #server = createServer(async (request, response) => {
    const body = new URLSearchParams(await text(request));
    const answer = (status: number, json: object, headers = {}) => {
      response.writeHead(status, {
        'content-type': 'application/json',
        ...headers,
      });
      response.end(JSON.stringify(json));
    };
    if (this.isDown) {
      answer(503, {});
    } else if (request.headers.authorization !== `Bearer ${SLACK_TOKEN}`) {
      answer(200, { ok: false, error: 'invalid_auth' });
    } else if (request.url === '/api/auth.test') {
      answer(200, {
        ok: true,
        user_id: BOT_USER,
        bot_id: 'BBOT',
        team_id: 'T1',
      });
    } else if (request.url === '/api/chat.postMessage') {
      if (this.silences > 0) {
        this.silences -= 1;
        return;
      }
      const status = this.refusals.shift();
      if (status) {
        answer(status, { ok: false }, { 'retry-after': `${this.retryAfter}` });
        return;
      }
      this.posted.push(Object.fromEntries(body) as unknown as PostedMessage);
      answer(200, { ok: true, ts: '2.0' });
    } else {
      answer(200, { ok: false, error: 'unknown_method' });
    }
  });

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/api/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }

  /** Sends a signed event to an address, as Slack does. */
  async send(
    url: string,
    event: object,
    options: {
      eventId?: string;
      secret?: string;
      /** Seconds to shift the timestamp by. */
      shift?: number;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Response> {
    const { eventId = 'Ev1', secret = SLACK_SECRET, shift = 0 } = options;
    const body = JSON.stringify({
      type: 'event_callback',
      team_id: 'T1',
      event_id: eventId,
      api_app_id: 'A1',
      authorizations: [{ team_id: 'T1', user_id: BOT_USER, is_bot: true }],
      event,
    });
    return this.sendRaw(url, body, { secret, shift, headers: options.headers });
  }

  async sendRaw(
    url: string,
    body: string,
    options: {
      secret?: string;
      shift?: number;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Response> {
    const { secret = SLACK_SECRET, shift = 0, headers } = options;
    const timestamp = String(Math.floor(Date.now() / 1_000) + shift);
    const digest = createHmac('sha256', secret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    return fetch(`${url}/slack/events`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${digest}`,
        ...headers,
      },
      body,
    });
  }
}
