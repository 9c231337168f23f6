import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Below the ephemeral range, so that the system assigns a port found here to no other process
 * before its server listens.
 */
const FIRST = 20_000;
const LAST = 32_000;

/** Distance between the first ports of two processes that start one after the other. */
const APART = 97;

/**
 * The next port to try. Each process starts at a different port and continues from there, so that
 * tests running at the same time do not find the same port before their servers listen.
 */
let next = (process.pid * APART) % (LAST - FIRST);

/** Finds TCP ports on the loopback interface that are free at the moment. */
export async function findFreePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  // Keeps all of them open until the last one is found, so that none is returned twice.
  while (held.size < count) {
    const port = FIRST + next;
    next = (next + 1) % (LAST - FIRST);
    const server = createServer();
    if (await listens(server, port)) {
      held.set(port, server);
    }
  }
  await Promise.all(
    [...held.values()].map(
      server => new Promise(resolve => server.close(resolve)),
    ),
  );
  return [...held.keys()];
}

async function listens(server: Server, port: number): Promise<boolean> {
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  }
}
