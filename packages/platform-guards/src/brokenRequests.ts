import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Status and message by the code of the Node.js error. */
const WORDING: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
};

/**
 * Creates a `clientError` listener that responds to malformed or late requests with JSON. By
 * default, Node.js responds without a body.
 *
 * @param render - creates the body in the server's own error format.
 */
export function brokenRequestAnswer(
  render: (message: string, status: number) => unknown,
): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = WORDING[error.code ?? ''] ?? [
      400,
      'The request is not valid HTTP',
    ];
    const body = JSON.stringify(render(message, status));
    // Not imported, for the reason given in `guardedRequest`.
    const { STATUS_CODES } = process.getBuiltinModule('node:http');
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

/**
 * Makes a server ignore unknown `Expect` headers, as RFC 9110, 10.1.1 allows for anything but
 * `100-continue`. By default, Node.js rejects such requests without a body.
 */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}
