import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 20_000;
const TYPES = /^dev\.cdevents\.(?:pipelinerun\.finished|service\.deployed)\./;

interface CloudEvent {
  specversion: string;
  type: string;
  data: {
    customData: Record<string, unknown>;
  };
}

/** Starts a fake delivery lake that validates the events it receives. */
export async function startLake(token: string): Promise<{
  url: string;
  /** Reasons for rejected requests. */
  refused: readonly string[];
  /** Resolves to whether a deployment of the commit arrives within 20 s. */
  deployed(what: { service: string; sha: string }): Promise<boolean>;
  stop(): void;
}> {
  const taken: CloudEvent[] = [];
  const refused: string[] = [];
  const server = createServer(async (request, response) => {
    const event = JSON.parse(await text(request)) as CloudEvent;
    const { authorization } = request.headers;
    const fault =
      (request.url !== '/api/delivery-lake/events' &&
        `address ${request.url}`) ||
      (authorization !== `Bearer ${token}` && 'credential') ||
      (event.specversion !== '1.0' && `version ${event.specversion}`) ||
      (!TYPES.test(event.type) && `type ${event.type}`);
    if (fault) {
      refused.push(fault);
      response.writeHead(422).end('{}');
      return;
    }
    taken.push(event);
    response.writeHead(202).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    async deployed({ service, sha }) {
      for (const until = Date.now() + WAIT_MS; Date.now() < until;) {
        const found = taken.some(
          ({ type, data }) =>
            type.startsWith('dev.cdevents.service.deployed.') &&
            data.customData.service === service &&
            data.customData.sha === sha,
        );
        if (found) {
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
