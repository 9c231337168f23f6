import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { createProxyServer, ProxyServer } from 'http-proxy-3';
import { confineSetCookies, withoutProtectedCookies } from './BrowserSessions';
import { GatewayRoute, IdeAddresses } from './IdeAddresses';
import { ForwardTarget } from './IdeTargets';

/** An answer of an IDE may take this long to begin: a slow extension, not a dead socket. */
const PROXY_TIMEOUT_MS = 60_000;

/** Forwards requests and upgrades to IDEs and the applications in workspaces. */
export class IdeProxy {
  readonly #proxy: ProxyServer;
  readonly #addresses: IdeAddresses;
  readonly #routes = new WeakMap<IncomingMessage, GatewayRoute>();

  constructor(options: { addresses: IdeAddresses }) {
    this.#addresses = options.addresses;
    this.#proxy = createProxyServer({
      changeOrigin: false,
      proxyTimeout: PROXY_TIMEOUT_MS,
    });
    this.#proxy.on('proxyRes', (answer, req, res) => {
      const route = this.#routes.get(req);
      if (route) {
        confineAnswer(answer, route);
      }
      keepOwnCookies(answer, res);
      keepOwnPolicy(answer, res);
      // An IDE that dies amid its answer must not leave the browser waiting.
      answer.once('close', () => {
        if (!answer.complete) {
          res.destroy();
        }
      });
    });
    // The proxy itself ends only what has been upgraded already when its client
    // goes. To this socket, which may be half-open, an end is no close.
    this.#proxy.on('proxyReqWs', (upgrade, _req, socket) => {
      socket.once('end', () => upgrade.destroy());
      socket.once('close', () => upgrade.destroy());
    });
    // Each call passes its own handler; without one here a late error would end the process.
    this.#proxy.on('error', () => {});
  }

  /** Forwards one request. `onError` is called when nothing was answered. */
  forward(
    req: IncomingMessage,
    res: ServerResponse,
    options: { route: GatewayRoute; target: ForwardTarget; onError(): void },
  ): void {
    this.#prepare(req, options.route);
    const { agent, changeOrigin, ...target } = options.target;
    this.#proxy.web(req, res, { target, agent, changeOrigin }, () =>
      options.onError(),
    );
  }

  /** Forwards one WebSocket upgrade; a failure closes the socket. */
  upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    options: { route: GatewayRoute; target: ForwardTarget },
  ): void {
    const { agent, changeOrigin, ...target } = options.target;
    this.#prepare(req, options.route);
    this.#proxy.ws(
      req,
      socket as Parameters<ProxyServer['ws']>[1],
      head,
      { target, agent, changeOrigin },
      () => {
        socket.destroy();
      },
    );
  }

  #prepare(req: IncomingMessage, route: GatewayRoute): void {
    this.#routes.set(req, route);
    req.url = route.path;
    delete req.headers.authorization;
    this.#setForwarded(req, route);
    const cookie = withoutProtectedCookies(req.headers.cookie);
    if (cookie === undefined) {
      delete req.headers.cookie;
    } else {
      req.headers.cookie = cookie;
    }
  }

  /**
   * Says where browsers reach the IDE, whatever proxy stands before the gateway.
   * What the client said of that goes: IDEs hold the Origin against it.
   */
  #setForwarded(req: IncomingMessage, route: GatewayRoute): void {
    const { headers, socket } = req;
    const { host, protocol } = new URL(this.#addresses.of(route));
    for (const name of Object.keys(headers)) {
      if (name === 'forwarded' || name.startsWith('x-forwarded-')) {
        delete headers[name];
      }
    }
    headers['x-forwarded-for'] = socket.remoteAddress ?? '';
    headers['x-forwarded-host'] = host;
    headers['x-forwarded-proto'] = protocol.replace(':', '');
    if (route.prefix) {
      headers['x-forwarded-prefix'] = route.prefix;
    }
  }
}

/** Keeps an answer of a workspace inside the workspace's own path. */
function confineAnswer(answer: IncomingMessage, route: GatewayRoute): void {
  const { headers } = answer;
  if (headers['set-cookie']) {
    headers['set-cookie'] = confineSetCookies(headers['set-cookie'], route);
  }
  // IDEs use relative redirects; applications behind an endpoint know nothing of the prefix.
  const { location } = headers;
  if (location?.startsWith('/') && !location.startsWith('//')) {
    headers.location = route.prefix + location;
  }
}

/** The proxy copies the answer's cookies over those that the gateway has set on the response already. */
function keepOwnCookies(answer: IncomingMessage, res: ServerResponse): void {
  const own = res.getHeader('set-cookie');
  if (own !== undefined) {
    answer.headers['set-cookie'] = [
      ...[own].flat().map(String),
      ...(answer.headers['set-cookie'] ?? []),
    ];
  }
}

/** The answer's own policy comes beside the gateway's, of which both hold; it must not take its place. */
function keepOwnPolicy(answer: IncomingMessage, res: ServerResponse): void {
  const own = res.getHeader('content-security-policy');
  if (typeof own === 'string') {
    const theirs = answer.headers['content-security-policy'];
    answer.headers['content-security-policy'] = theirs
      ? `${own}, ${theirs}`
      : own;
  }
}

/** How much of a connection's traffic is forgotten each second. */
const DRAIN_BYTES_PER_SECOND = 30;

/** How much above that somebody must send to be at work. */
const USE_BYTES = 150;

/**
 * Tells somebody at work from a tab that is merely open, by what one WebSocket
 * connection sends towards the IDE: a bucket that drains, and use when it is
 * full. Contents are compressed and no business of the gateway.
 *
 * Measured with VS Code 1.139 in Chromium, in bytes on the wire:
 * - nobody there: about 410 a minute over both connections of a tab. Its
 *   protocol keeps a connection alive with 13 bytes every 5 seconds (`KeepAlive`
 *   in src/vs/base/parts/ipc/common/ipc.net.ts); now and then it sends a few
 *   telemetry pings of 38 bytes, 2 seconds apart. At worst 72 in 5 seconds and
 *   122 in 10 on one connection, some 330 in 10 were they not compressed.
 * - `ls` in the terminal: 187. Typing in a terminal: 97 a second. One letter in
 *   the editor: 2,042. Five moves of the cursor: 1,268.
 *
 * Output that an open terminal shows is acknowledged by the browser, so lines
 * that keep coming may count as use as well.
 */
export class TrafficMeter {
  readonly #onUse: () => void;
  readonly #now: () => number;
  #level = 0;
  #measuredAt: number;

  /** @param options.now - milliseconds of a clock that never goes back. */
  constructor(options: { onUse(): void; now?: () => number }) {
    this.#onUse = options.onUse;
    this.#now = options.now ?? (() => performance.now());
    this.#measuredAt = this.#now();
  }

  /** Notes that the browser sent so many bytes. */
  add(bytes: number): void {
    const now = this.#now();
    const drained = ((now - this.#measuredAt) / 1000) * DRAIN_BYTES_PER_SECOND;
    this.#measuredAt = now;
    this.#level = Math.max(0, this.#level - drained) + bytes;
    if (this.#level >= USE_BYTES) {
      this.#level = 0;
      this.#onUse();
    }
  }
}
