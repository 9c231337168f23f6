import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

export const MATTERMOST_TOKEN = 'mattermost-token';
export const ME = { id: 'bot-id', username: 'feedback' };

interface CreatedPost {
  channel_id: string;
  message: string;
  root_id: string;
}

/** A fake Mattermost: its REST API, which checks the token, and its WebSocket. */
export class FakeMattermost {
  /** Received requests, e.g. `GET /path`. */
  readonly requests: string[] = [];
  readonly created: CreatedPost[] = [];
  /** Statuses of the next responses to posts; once it is empty, posts are accepted. */
  readonly refusals: number[] = [];
  /** Accepts requests without responding while true. */
  isSilent = false;
  readonly #sockets = new Set<WebSocket>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });
  readonly #webSockets = new WebSocketServer({ server: this.#server });
  #sequence = 0;
  #connections = 0;

  constructor() {
    this.#webSockets.on('connection', socket => {
      socket.on('message', data => {
        const message = JSON.parse(String(data));
        if (message.action === 'authentication_challenge') {
          if (message.data.token !== MATTERMOST_TOKEN) {
            socket.close();
            return;
          }
          socket.send(JSON.stringify({ status: 'OK', seq_reply: message.seq }));
          this.#sockets.add(socket);
          // The sequence starts over on a connection with a new id.
          this.#sequence = 0;
          this.#connections += 1;
          const connection_id = `c${this.#connections}`;
          this.#emit('hello', { connection_id, server_version: '11.0' });
        }
      });
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Returns whether a client is connected. */
  get isConnected(): boolean {
    return this.#sockets.size > 0;
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.disconnect();
    this.#webSockets.close();
    this.#server.closeAllConnections();
    await new Promise(resolve => {
      this.#server.close(resolve);
    });
  }

  /** Closes all connections. */
  disconnect(): void {
    this.#sockets.forEach(socket => socket.terminate());
    this.#sockets.clear();
  }

  /** Posts a message as a user. */
  post(
    post: {
      id: string;
      message: string;
      user_id?: string;
      root_id?: string;
      type?: string;
      props?: object;
    },
    options: { channelType?: string; mentions?: string[] } = {},
  ): void {
    const { channelType = 'O', mentions = [ME.id] } = options;
    this.#emit('posted', {
      post: JSON.stringify({
        channel_id: 'channel',
        user_id: 'grace-id',
        root_id: '',
        type: '',
        ...post,
      }),
      mentions: JSON.stringify(mentions),
      channel_type: channelType,
      sender_name: '@grace',
    });
  }

  #emit(event: string, data: object): void {
    const frame = JSON.stringify({
      event,
      data,
      broadcast: {},
      seq: this.#sequence,
    });
    this.#sequence += 1;
    this.#sockets.forEach(socket => socket.send(frame));
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const body = await text(request);
    this.requests.push(`${request.method} ${request.url}`);
    if (this.isSilent) {
      return;
    }
    if (
      request.headers.authorization?.toLowerCase() !==
      `bearer ${MATTERMOST_TOKEN}`
    ) {
      answer(401, { id: 'api.context.session_expired', status_code: 401 });
    } else if (request.url === '/api/v4/users/me') {
      answer(200, ME);
    } else if (request.url === '/api/v4/posts' && request.method === 'POST') {
      const refusal = this.refusals.shift();
      if (refusal) {
        answer(refusal, { id: 'refused', status_code: refusal });
        return;
      }
      this.created.push(JSON.parse(body));
      answer(201, { id: 'answer', ...JSON.parse(body) });
    } else {
      answer(404, { id: 'not_found', status_code: 404 });
    }
  }
}
