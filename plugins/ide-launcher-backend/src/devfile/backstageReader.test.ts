import { once } from 'node:events';
import { createServer, RequestListener, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import {
  ServiceFactoryTester,
  mockServices,
} from '@backstage/backend-test-utils';
import { boundedUrlReaderFactory } from '@slipway/portal-kit';
import { DevfileReader } from './DevfileReader';

/**
 * Backstage's readers have no error types for most failures, so their messages are
 * matched; this test verifies the messages of a real reader.
 */
describe("DevfileReader with the portal's URL reader", () => {
  const address =
    'https://git.example.org/team/app/blob/main/devfile.yaml?token=secret';
  const shown = 'https://git.example.org/team/app/blob/main/devfile.yaml';
  let answer: RequestListener;
  let forge: Server;
  let reader: DevfileReader;
  let impatient: DevfileReader;

  beforeAll(async () => {
    forge = createServer((req, res) => answer(req, res)).listen(0, '127.0.0.1');
    await once(forge, 'listening');
    const base = `http://localhost:${(forge.address() as AddressInfo).port}`;
    const host = 'git.example.org';
    const github = [{ host, apiBaseUrl: `${base}/api/v3` }];
    const tester = ServiceFactoryTester.from(boundedUrlReaderFactory, {
      dependencies: [
        mockServices.rootConfig.factory({ data: { integrations: { github } } }),
      ],
    });
    const urlReader = await tester.getSubject();
    reader = new DevfileReader({ urlReader, timeoutMs: 60_000 });
    impatient = new DevfileReader({ urlReader, timeoutMs: 300 });
  });

  afterAll(() => {
    forge.closeAllConnections();
    forge.close();
  });

  it('reads a file', async () => {
    answer = (_req, res) => res.end('schemaVersion: 2.2.2');
    await expect(reader.read(address)).resolves.toBe('schemaVersion: 2.2.2');
  });

  it.each([404, 401, 403, 500, 503])('reports the status %d', async status => {
    answer = (_req, res) => res.writeHead(status).end('secret body');
    await expect(reader.read(address)).rejects.toThrow(
      new RegExp(`^${shown} answered ${status}$`),
    );
  });

  it('reports a host that is not allowed', async () => {
    await expect(reader.read('https://other.example.org/x')).rejects.toThrow(
      /^cannot read .*: host other\.example\.org is not allowed/,
    );
  });

  it('reports an address that is not that of a file', async () => {
    const page = 'https://git.example.org/team/app/pull/7';
    await expect(reader.read(`${page}?token=secret`)).rejects.toThrow(
      new RegExp(`^${page} is not the address of a file in a repository$`),
    );
  });

  it('reports a redirect to a host that is not allowed', async () => {
    const location = 'https://169.254.169.254/latest';
    answer = (_req, res) => res.writeHead(302, { location }).end();
    await expect(reader.read(address)).rejects.toThrow(
      /host 169\.254\.169\.254 is not allowed/,
    );
  });

  it('reports an endless redirect', async () => {
    answer = (req, res) => res.writeHead(302, { location: req.url }).end();
    await expect(reader.read(address)).rejects.toThrow(
      `${shown} redirects too often`,
    );
  });

  it('reports a failed connection', async () => {
    answer = req => req.destroy();
    await expect(reader.read(address)).rejects.toThrow(
      /^cannot reach git\.example\.org: no connection/,
    );
  });

  it('reports a server that never responds', async () => {
    answer = () => {};
    await expect(impatient.read(address)).rejects.toThrow(
      `${shown} did not answer within 0.3 s`,
    );
  });

  it('reports a body that never ends', async () => {
    answer = (_req, res) => res.write('schemaVersion: ');
    await expect(impatient.read(address)).rejects.toThrow(
      `${shown} did not answer within 0.3 s`,
    );
  });
});
