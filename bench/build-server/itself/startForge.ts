import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 20_000;
const STATES = new Set(['pending', 'success', 'failure', 'error', 'warning']);

interface Status {
  state: string;
  context: string;
  target_url: string;
}

/** Starts a fake forge that validates commit statuses as Gitea does. */
export async function startForge(token: string): Promise<{
  url: string;
  /** Reasons for rejected requests. */
  refused: readonly string[];
  states(): string[];
  /**
   * Waits up to 20 s for the final status of a commit; resolves to whether it is the expected
   * one.
   */
  told(sha: string, isSuccess: boolean): Promise<boolean>;
  stop(): void;
}> {
  const taken: { sha: string; status: Status }[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      // The server polls open pull requests.
      const isList = request.url?.startsWith('/repos/slipway/slipway/pulls?');
      response.writeHead(isList ? 200 : 404).end('[]');
      return;
    }
    const status = JSON.parse(await text(request)) as Status;
    const [, sha] =
      /^\/repos\/slipway\/slipway\/statuses\/([0-9a-f]{40})$/.exec(
        request.url ?? '',
      ) ?? [];
    const fault =
      (sha === undefined && `address ${request.url}`) ||
      (request.headers.authorization !== `token ${token}` && 'credential') ||
      (!STATES.has(status.state) && `state ${status.state}`) ||
      (!status.context.startsWith('slipway/slipway') && status.context) ||
      (!URL.canParse(status.target_url) && `target ${status.target_url}`);
    if (fault) {
      refused.push(fault);
      response.writeHead(422).end('{}');
      return;
    }
    taken.push({ sha: String(sha), status });
    response.writeHead(201).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    states: () => taken.map(({ status }) => status.state),
    async told(sha, isSuccess) {
      const expected = isSuccess ? 'success' : 'failure';
      for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
        const last = taken.at(-1);
        if (last?.sha === sha && last.status.state === expected) {
          return true;
        }
        await sleep(100);
      }
      return false;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
