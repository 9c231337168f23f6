import { Client } from 'undici';
import type { PlumbedServer } from './PlumbedServer.ts';

/** Requests to one server before it is another's turn, so that all see the same machine. */
const TURN = 25;

const PATH = '/api/ide-launcher/workspaces';

/** A request whose way through the plumbing is measured. */
export interface Question {
  what: string;
  token?: string;
  status: number;
}

/**
 * Asks the servers in turn, one request at a time over a kept connection.
 *
 * @returns milliseconds of each request, by server, in their order.
 */
export async function measure(
  servers: readonly PlumbedServer[],
  options: { question: Question; requests: number },
): Promise<number[][]> {
  const { question, requests } = options;
  const clients = servers.map(({ origin }) => new Client(origin));
  const latencies: number[][] = servers.map(() => []);
  for (let sent = 0; sent < 2 * requests; sent += TURN) {
    for (const [index, client] of clients.entries()) {
      const turn = await takeTurn(client, question);
      // The first half warms up.
      if (sent >= requests) {
        latencies[index].push(...turn);
      }
    }
  }
  await Promise.all(clients.map(client => client.close()));
  return latencies;
}

async function takeTurn(
  client: Client,
  { token, status }: Question,
): Promise<number[]> {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const latencies: number[] = [];
  for (let request = 0; request < TURN; request++) {
    const begun = performance.now();
    const answer = await client.request({ method: 'GET', path: PATH, headers });
    await answer.body.dump();
    latencies.push(performance.now() - begun);
    if (answer.statusCode !== status) {
      throw new Error(`${PATH} was answered ${answer.statusCode}`);
    }
  }
  return latencies;
}
