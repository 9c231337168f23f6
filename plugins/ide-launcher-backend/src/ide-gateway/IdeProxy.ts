import { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { createProxyServer, ProxyServer } from 'http-proxy-3';
import { confineSetCookies, withoutProtectedCookies } from './BrowserSessions';
import { ForwardTarget, GatewayRoute, IdeAddresses } from './ideRoutes';

/** Time limits for the beginning of a response, in milliseconds; the rest may take any time. */
interface AnswerTimeouts {
  ide: number;
  application: number;
}

const ANSWER_TIMEOUTS: AnswerTimeouts = {
  // Long enough for a slow extension, but not for a dead socket.
  ide: 60_000,
  // Its developer may have stopped it at a breakpoint.
  application: 60 * 60_000,
};

/** The time without traffic after which a connection to a workspace is probed. */
const KEEP_ALIVE_MS = 60_000;

/** Forwards requests and upgrades to IDEs and the applications in workspaces. */
export class IdeProxy {
  readonly #proxy: ProxyServer;
  readonly #addresses: IdeAddresses;
  readonly #timeouts: AnswerTimeouts;
  readonly #routes = new WeakMap<IncomingMessage, GatewayRoute>();

  constructor(options: { addresses: IdeAddresses; timeouts?: AnswerTimeouts }) {
    this.#addresses = options.addresses;
    this.#timeouts = options.timeouts ?? ANSWER_TIMEOUTS;
    this.#proxy = createProxyServer({ changeOrigin: false });
    this.#proxy.on('proxyRes', (answer, req, res) => {
      // Server-sent events may be minutes apart.
      answer.socket.setTimeout(0);
      // Detects connections to a machine that has disappeared.
      answer.socket.setKeepAlive(true, KEEP_ALIVE_MS);
      const route = this.#routes.get(req);
      if (route) {
        confineAnswer(answer, route);
      }
      keepOwnCookies(answer, res);
      keepOwnPolicy(answer, res);
      // An IDE that dies during its response must not leave the browser waiting.
      answer.once('close', () => {
        if (!answer.complete) {
          res.destroy();
        }
      });
    });
    // When its client disconnects, the proxy itself only closes sockets that are already upgraded.
    // This socket may be half-open, so an 'end' event does not close it.
    this.#proxy.on('proxyReqWs', (upgrade, _req, socket) => {
      socket.once('end', () => upgrade.destroy());
      socket.once('close', () => upgrade.destroy());
    });
    // Each call passes its own handler; without this one a late error would crash the process.
    this.#proxy.on('error', () => {});
  }

  /** Forwards one request. Calls `onError` if no response was sent. */
  forward(
    req: IncomingMessage,
    res: ServerResponse,
    options: { route: GatewayRoute; target: ForwardTarget; onError(): void },
  ): void {
    this.#prepare(req, options.route);
    const { agent, changeOrigin, ...target } = options.target;
    const { ide, application } = this.#timeouts;
    const proxyTimeout = options.route.port === null ? ide : application;
    this.#proxy.web(
      req,
      res,
      { target, agent, changeOrigin, proxyTimeout },
      () => options.onError(),
    );
  }

  /** Forwards one WebSocket upgrade; closes the socket on failure. */
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
   * Sets the forwarded headers to the address at which browsers reach the IDE, regardless of
   * other proxies in front of the gateway. Values sent by the client are dropped, because IDEs
   * compare the Origin header with them.
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

/** Confines a workspace's response to the workspace's own path. */
function confineAnswer(answer: IncomingMessage, route: GatewayRoute): void {
  const { headers } = answer;
  if (headers['set-cookie']) {
    headers['set-cookie'] = confineSetCookies(headers['set-cookie'], route);
  }
  // IDEs use relative redirects; applications behind an endpoint do not know the prefix.
  const { location } = headers;
  if (location?.startsWith('/') && !location.startsWith('//')) {
    headers.location = route.prefix + location;
  }
}

/**
 * Keeps the cookies that the gateway has set on the response; the proxy would replace them with the
 * workspace's.
 */
function keepOwnCookies(answer: IncomingMessage, res: ServerResponse): void {
  const own = res.getHeader('set-cookie');
  if (own !== undefined) {
    answer.headers['set-cookie'] = [
      ...[own].flat().map(String),
      ...(answer.headers['set-cookie'] ?? []),
    ];
  }
}

/**
 * Sends the workspace's own policy in addition to the gateway's. Browsers enforce both; the
 * workspace's must not replace the gateway's.
 */
function keepOwnPolicy(answer: IncomingMessage, res: ServerResponse): void {
  const own = res.getHeader('content-security-policy');
  if (typeof own === 'string') {
    const theirs = answer.headers['content-security-policy'];
    answer.headers['content-security-policy'] = theirs
      ? `${own}, ${theirs}`
      : own;
  }
}

/** Rate at which the measured traffic of a connection decays. */
const DRAIN_BYTES_PER_SECOND = 30;

/** Traffic above that rate that counts as use. */
const USE_BYTES = 150;

/**
 * Distinguishes active use from a tab that is merely open, based on the traffic that one
 * WebSocket connection sends to the IDE: a leaky bucket that reports use when it is full. The
 * contents are compressed, and the gateway does not inspect them.
 *
 * Measured with VS Code 1.139 in Chromium, in bytes on the wire:
 * - idle: about 410 per minute over both connections of a tab. The protocol keeps a connection
 *   alive with 13 bytes every 5 seconds (`KeepAlive` in
 *   src/vs/base/parts/ipc/common/ipc.net.ts), and occasionally sends a few telemetry pings of
 *   38 bytes, 2 seconds apart. The maximum on one connection is 72 in 5 seconds and 122 in 10
 *   seconds (about 330 in 10 seconds without compression).
 * - `ls` in the terminal: 187. Typing in a terminal: 97 per second. One letter in the editor:
 *   2,042. Moving the cursor five times: 1,268.
 *
 * The browser acknowledges the output of an open terminal, so continuous output may count as
 * use too.
 */
export class TrafficMeter {
  readonly #onUse: () => void;
  readonly #now: () => number;
  #level = 0;
  #measuredAt: number;

  /** @param options.now - milliseconds of a monotonic clock. */
  constructor(options: { onUse(): void; now?: () => number }) {
    this.#onUse = options.onUse;
    this.#now = options.now ?? (() => performance.now());
    this.#measuredAt = this.#now();
  }

  /** Records the number of bytes that the browser sent. */
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
