import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { PlaceLostError } from '../Executor.ts';
import type { BuildCluster } from './BuildCluster.ts';
import { CONTAINER } from './podSpec.ts';

/** Channels of the cluster's protocol, numbered by the first byte of each message. */
const [STDIN, STDERR, STATUS] = [0, 2, 3];
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
/** Milliseconds between pings, which keep proxies from dropping a silent connection. */
const PING_MS = 20_000;
const CONNECT_MS = 30_000;
/** Bytes waiting to be sent, above which the source of the input pauses. */
const MAX_UNSENT = 1024 * 1024;

/** A program to run in the container of a running pod. */
export interface ExecRequest {
  cluster: BuildCluster;
  pod: string;
  argv: readonly string[];
  /** Input of the program, which must know its length: this side cannot close the stream on its own. */
  input?: AsyncIterable<Buffer> | Iterable<Buffer>;
  output(chunk: Buffer, stream: 'stdout' | 'stderr'): Promise<void>;
  signal: AbortSignal;
}

/**
 * Runs a program in a pod. Its output is read only as fast as it is consumed.
 *
 * @returns the exit code.
 * @throws PlaceLostError if the connection breaks; the state of the program is then unknown.
 */
export async function execInPod(request: ExecRequest): Promise<number> {
  const { signal, output } = request;
  signal.throwIfAborted();
  const socket = await connect(request);
  const ended = new AbortController();
  const done = new Promise<number>((resolve, reject) => {
    let taken = Promise.resolve();
    socket.on('message', (message: Buffer) => {
      socket.pause();
      const [channel] = message;
      const data = message.subarray(1);
      taken = taken
        .then(async () => {
          if (channel === STATUS) {
            resolve(exitCodeOf(data));
          } else if (data.length > 0) {
            await output(data, channel === STDERR ? 'stderr' : 'stdout');
          }
        })
        .catch(reject)
        .finally(() => socket.resume());
    });
    socket.once('close', () => {
      const error = new PlaceLostError('the connection to its pod broke');
      void taken.then(() => reject(error));
    });
    // Followed by `close`.
    socket.on('error', () => undefined);
    signal.addEventListener('abort', () => reject(signal.reason), {
      once: true,
      // Removed at the end, because all programs of a build share one signal.
      signal: ended.signal,
    });
  });
  const pings = setInterval(() => socket.ping(), PING_MS);
  try {
    // A program may end without reading all of its input.
    await Promise.race([done, send(socket, request.input ?? [])]);
    return await done;
  } finally {
    clearInterval(pings);
    ended.abort();
    socket.terminate();
  }
}

async function connect(request: ExecRequest): Promise<WebSocket> {
  const { cluster, pod, argv, input } = request;
  const query = new URLSearchParams([
    ...argv.map(arg => ['command', arg]),
    ...[
      ['container', CONTAINER],
      ['stdout', 'true'],
      ['stderr', 'true'],
    ],
    ...(input ? [['stdin', 'true']] : []),
  ]);
  const { url, settings } = await cluster.locateStream(pod, 'exec', query);
  // Imported here, since most servers have no cluster.
  const { WebSocket: Client } = await import('ws');
  const socket = new Client(url.href.replace(/^http/, 'ws'), PROTOCOLS, {
    ...settings,
    handshakeTimeout: CONNECT_MS,
    perMessageDeflate: false,
  });
  try {
    await once(socket, 'open');
  } catch (error) {
    throw new PlaceLostError(
      `its pod cannot be reached: ${(error as Error).message}`,
    );
  }
  return socket;
}

async function send(
  socket: WebSocket,
  input: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<void> {
  for await (const chunk of input) {
    while (
      socket.readyState === socket.OPEN &&
      socket.bufferedAmount > MAX_UNSENT
    ) {
      await sleep(5);
    }
    if (socket.readyState !== socket.OPEN) {
      return;
    }
    socket.send(Buffer.concat([Buffer.of(STDIN), chunk]));
  }
}

/** Reads the exit code from the status that the cluster sends when a program ends. */
function exitCodeOf(data: Buffer): number {
  const status = JSON.parse(data.toString('utf8')) as {
    status?: string;
    message?: string;
    details?: { causes?: { reason?: string; message?: string }[] };
  };
  if (status.status === 'Success') {
    return 0;
  }
  const code = status.details?.causes?.find(
    ({ reason }) => reason === 'ExitCode',
  );
  if (!code) {
    throw new PlaceLostError(
      `its pod could not run a program: ${status.message ?? 'no reason given'}`,
    );
  }
  return Number(code.message);
}
