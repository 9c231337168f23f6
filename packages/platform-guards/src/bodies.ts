import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Bytes of a body that are worth reading to keep a connection. */
const WORTH_READING = 64 * 1024;

/** Bytes that are still read of a body once its answer is sent. */
const READ_AFTER_ANSWER = 128 * 1024;

/** How long a caller has for reading the answer, in milliseconds. */
const LINGER_MS = 500;

/** The most connections that wait for their callers; further ones are closed at once. */
const MOST_LINGERING = 256;

let lingering = 0;

/**
 * Closes the connection of a request after its answer where most of its body is still to
 * come: Node would read all of it, however large, to keep the connection. To be called
 * before the answer is sent; does nothing for a body that is small, or here already.
 *
 * A connection that is closed with bytes unread is reset, and its caller may never see the
 * answer. So the answer and the end are sent first; then what comes is thrown away, for a
 * bounded number of bytes and a bounded time, until the caller closes.
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
  // What Node calls once the answer is written.
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
  if (lingering === MOST_LINGERING) {
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
  // The parser of HTTP gets no more of it.
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

/** Readers of bodies that wait for their turn of the event loop. */
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
 * The chunks of a body that nobody vouches for yet. All such bodies of the process together
 * are read at one chunk (64 KiB or so) in each turn of the event loop, so that whoever sends
 * many megabytes at once delays others by a chunk, not by the megabytes. Who sends slowly
 * holds up nobody: a turn is asked for only once a chunk has come.
 *
 * The stream is left open when the caller stops early, so that it can still be answered.
 */
export async function* inTurns(body: Readable): AsyncGenerator<Buffer, void> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    yield chunk;
    await turn();
  }
}
