import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Status and message by the code of Node's error. */
const WORDING: Readonly<Record<string, [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The head of the request is too large'],
};

/**
 * Makes a listener for a server's `clientError`, which answers what is no HTTP, or does
 * not arrive in time, in JSON. Of itself Node.js answers without a body.
 *
 * @param render - makes the body in the server's own error format.
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
 * Has a server take requests that expect what nobody knows: what clients may expect beside
 * `100-continue` can be ignored (RFC 9110, 10.1.1), and Node.js refuses it without a body.
 */
export function ignoreExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}
