import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { UnavailableError } from '../errors/ServiceError.ts';
import { disconnectSignal } from './disconnectSignal.ts';

const server = createServer();

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => {
  server.close();
});

/** Sends a request, and returns its connection and the response that the server may send. */
async function request() {
  const { port } = server.address() as AddressInfo;
  const connection = connect(port, '127.0.0.1');
  connection.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [, response] = await once(server, 'request');
  return { connection, response: response as ServerResponse };
}

it('is aborted when the caller leaves', async () => {
  const { connection, response } = await request();
  const signal = disconnectSignal(response);
  expect(signal.aborted).toBe(false);
  const closed = once(response, 'close');
  connection.destroy();
  await closed;
  expect(signal.reason).toBeInstanceOf(UnavailableError);
});

it('is aborted from the start if the caller has left before', async () => {
  const { connection, response } = await request();
  const closed = once(response, 'close');
  connection.destroy();
  await closed;
  expect(disconnectSignal(response).reason).toBeInstanceOf(UnavailableError);
});

it('is not aborted by the end of the response', async () => {
  const { connection, response } = await request();
  const signal = disconnectSignal(response);
  const closed = once(response, 'close');
  response.end();
  await closed;
  expect(signal.aborted).toBe(false);
  connection.destroy();
});
