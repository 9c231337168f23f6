import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { forges } from './forges';

/** Requests that reached the forge or the internal server. */
const asked: { path: string; authorization?: string }[] = [];
const inside: string[] = [];
let answer: RequestListener;
let forge: Server;
let metadata: Server;
let host: string;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  forge = createServer((req, res) => {
    const { authorization } = req.headers;
    asked.push({ path: req.url ?? '', authorization });
    answer(req, res);
  }).listen(0, '127.0.0.1');
  metadata = createServer((req, res) => {
    inside.push(req.url ?? '');
    res.end('the secrets of the machine');
  }).listen(0, '127.0.0.1');
  await Promise.all([once(forge, 'listening'), once(metadata, 'listening')]);
  host = `localhost:${portOf(forge)}`;
});

beforeEach(() => {
  asked.length = 0;
  inside.length = 0;
});

afterAll(() => {
  for (const server of [forge, metadata]) {
    server.closeAllConnections();
    server.close();
  }
});

/** The same server under another name, configured as an integration. */
const gitlabHost = () => `127.0.0.1:${portOf(forge)}`;

function read(url: string, etag?: string) {
  const api = `http://${host}`;
  const integrations = {
    github: [{ host, apiBaseUrl: `${api}/api/v3`, token: 'of-github' }],
    gitlab: [
      {
        host: gitlabHost(),
        baseUrl: `http://${gitlabHost()}`,
        apiBaseUrl: `http://${gitlabHost()}/api/v4`,
        token: 'of-gitlab',
      },
    ],
  };
  const readers = forges({
    config: new ConfigReader({ integrations }),
    logger: mockServices.rootLogger(),
    treeResponseFactory: {} as never,
  });
  const { reader } = readers.find(({ predicate }) => predicate(new URL(url)))!;
  return reader.readUrl(url, { etag });
}

const FORGES = [
  {
    forge: 'GitHub',
    url: () => `http://${host}/acme/shop/blob/main/catalog-info.yaml`,
    path: '/api/v3/repos/acme/shop/contents/catalog-info.yaml?ref=main',
    authorization: 'Bearer of-github',
  },
  {
    forge: 'GitLab',
    url: () => `http://${gitlabHost()}/acme/shop/-/blob/main/catalog-info.yaml`,
    path: '/api/v4/projects/acme%2Fshop/repository/files/catalog-info.yaml/raw?ref=main',
    authorization: 'Bearer of-gitlab',
  },
] as const;

describe.each(FORGES)(
  'the reader of $forge',
  ({ url, path, authorization }) => {
    it('reads a file with the token of the integration', async () => {
      answer = (_req, res) =>
        res.setHeader('etag', '"1"').end('kind: Component');
      const file = await read(url());
      expect(String(await file.buffer())).toBe('kind: Component');
      expect(file.etag).toBe('"1"');
      expect(asked).toEqual([{ path, authorization }]);
    });

    it('follows a redirect within the forge', async () => {
      answer = (req, res) =>
        req.url === '/moved'
          ? res.end('kind: Component')
          : res.writeHead(302, { location: '/moved' }).end();
      const file = await read(url());
      expect(String(await file.buffer())).toBe('kind: Component');
    });

    it.each([
      () => `http://127.0.0.1:${portOf(metadata)}/latest/meta-data`,
      () => `http://localhost:${portOf(metadata)}/latest/meta-data`,
      () => `http://[::ffff:7f00:1]:${portOf(metadata)}/latest/meta-data`,
      () => 'file:///etc/passwd',
    ])('follows no redirect into the internal network', async location => {
      answer = (_req, res) =>
        res.writeHead(302, { location: location() }).end();
      await expect(read(url())).rejects.toThrow(/is not allowed/);
      expect(inside).toEqual([]);
    });

    it('reports unchanged and missing files', async () => {
      answer = (_req, res) => res.writeHead(304).end();
      await expect(read(url(), '"1"')).rejects.toMatchObject({
        name: 'NotModifiedError',
      });
      answer = (_req, res) => res.writeHead(404).end('{"message": "no"}');
      await expect(read(url())).rejects.toMatchObject({
        name: 'NotFoundError',
      });
    });
  },
);
