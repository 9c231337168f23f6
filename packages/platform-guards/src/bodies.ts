import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Maximum bytes of a body that are worth reading to keep a connection open. */
const WORTH_READING = 64 * 1024;

/** Maximum bytes of a body that are read after its response has been sent. */
const READ_AFTER_ANSWER = 128 * 1024;

/** Time that a caller has for reading the response, in milliseconds. */
const LINGER_MS = 500;

/** Maximum number of lingering connections; any further one is closed immediately. */
const MAX_LINGERING = 256;

let lingering = 0;

/**
 * Closes the connection after the response if most of the request body is still to come: otherwise
 * Node.js would read all of it, however large, to keep the connection open. Call it before the
 * response is sent. Does nothing for a body that is small or has already arrived.
 *
 * A connection closed with unread bytes is reset, and its caller may never see the response. So the
 * response and FIN are sent first; further data is then discarded, up to a limited number of bytes
 * and time, until the caller closes the connection.
 */
export function closeUnread(
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { socket } = request;
  if (
    request.complete ||
    response.headersSent ||
    !isWorthClosing(request) ||
    !(socket instanceof Socket)
  ) {
    return;
  }
  response.setHeader('Connection', 'close');
  // Node.js calls this once the response is written.
  socket.destroySoon = () => linger(socket);
}

function isWorthClosing({ headers }: IncomingMessage): boolean {
  return (
    'transfer-encoding' in headers ||
    Number(headers['content-length'] ?? 0) > WORTH_READING
  );
}

function linger(socket: Socket): void {
  socket.end();
  if (lingering === MAX_LINGERING) {
    socket.destroy();
    return;
  }
  lingering += 1;
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => {
    lingering -= 1;
    clearTimeout(timer);
  });
  socket.once('end', () => socket.destroy());
  // Stops passing data to the HTTP parser.
  socket.removeAllListeners('data');
  let read = 0;
  socket.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read >= READ_AFTER_ANSWER) {
      socket.pause();
    }
  });
  socket.resume();
}

/** Readers of bodies that are waiting for their turn. */
const waiting: (() => void)[] = [];

function grantOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) {
    setImmediate(grantOne);
  }
}

function turn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (waiting.length === 1) {
      setImmediate(grantOne);
    }
  });
}

/**
 * Reads an untrusted body chunk by chunk. All such bodies in the process share one chunk (about 64
 * KiB) per turn of the event loop, so that a caller who sends many megabytes delays others by one
 * chunk, not by megabytes. A slow sender delays no one: it gets a turn only when a chunk has
 * arrived.
 *
 * The stream stays open if the caller stops early, so that a response can still be sent.
 */
export async function* inTurns(body: Readable): AsyncGenerator<Buffer, void> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    yield chunk;
    await turn();
  }
}
