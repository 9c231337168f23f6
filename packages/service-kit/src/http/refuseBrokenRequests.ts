import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorFormat } from '../errors/index.ts';

const statusOf: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what is no HTTP, or does not arrive in time, in the service's error format. */
export function refuseBrokenRequests(options: {
  errors: ErrorFormat;
  now: () => number;
}): (error: Error & { code?: string }, socket: Socket) => void {
  const { errors, now } = options;
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusOf[error.code ?? ''] ?? 400;
    const message =
      status === 408
        ? 'The request did not arrive in time'
        : 'The request is not valid HTTP';
    const body = JSON.stringify(
      errors.render(
        { kind: 'invalidRequest', message },
        { status, now: new Date(now()) },
      ),
    );
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  };
}
