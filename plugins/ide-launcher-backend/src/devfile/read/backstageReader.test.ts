import { UrlReaders } from '@backstage/backend-defaults/urlReader';
import { mockServices } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { AddressGuard } from './AddressGuard';
import { DevfileReader } from './DevfileReader';

/**
 * Backstage's reader has no error types for most of what goes wrong, so its
 * wording is read; this holds the real reader against it.
 */
describe("DevfileReader with Backstage's own URL reader", () => {
  const config = new ConfigReader({
    backend: { reading: { allow: [{ host: 'git.example.org' }] } },
  });
  const reader = new DevfileReader({
    guard: AddressGuard.fromConfig(config),
    urlReader: UrlReaders.default({
      config,
      logger: mockServices.rootLogger(),
    }),
    timeoutMs: 300,
  });
  const address = 'https://git.example.org/devfile.yaml?token=secret';
  const shown = 'https://git.example.org/devfile.yaml';

  function answerWith(answer: (url: string) => Response | Promise<Response>) {
    vi.stubGlobal('fetch', async (url: string) => answer(url));
  }

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('reads a file', async () => {
    answerWith(() => new Response('schemaVersion: 2.2.2'));
    await expect(reader.read(address)).resolves.toBe('schemaVersion: 2.2.2');
  });

  it.each([404, 401, 403, 500, 503])('tells the status %d', async status => {
    answerWith(() => new Response('secret body', { status }));
    await expect(reader.read(address)).rejects.toThrow(
      new RegExp(`^${shown} answered ${status}$`),
    );
  });

  it('tells a host that is not allowed', async () => {
    await expect(reader.read('https://other.example.org/x')).rejects.toThrow(
      /^cannot read .*: host other\.example\.org is not allowed/,
    );
  });

  it('tells a redirect to a host that is not allowed', async () => {
    const headers = { location: 'https://169.254.169.254/latest' };
    answerWith(() => new Response(null, { status: 302, headers }));
    await expect(reader.read(address)).rejects.toThrow(
      /host 169\.254\.169\.254 is not allowed/,
    );
  });

  it('tells a redirect without end', async () => {
    const headers = { location: address };
    answerWith(() => new Response(null, { status: 302, headers }));
    await expect(reader.read(address)).rejects.toThrow(
      `${shown} redirects too often`,
    );
  });

  it('tells that there is no connection', async () => {
    answerWith(() => Promise.reject(new TypeError('fetch failed')));
    await expect(reader.read(address)).rejects.toThrow(
      /^cannot reach git\.example\.org: no connection/,
    );
  });

  it('tells a server that never answers', async () => {
    answerWith(() => new Promise<Response>(() => {}));
    await expect(reader.read(address)).rejects.toThrow(
      `${shown} did not answer within 0.3 s`,
    );
  });

  it('tells a body that never ends', async () => {
    answerWith(() => new Response(new ReadableStream({})));
    await expect(reader.read(address)).rejects.toThrow(
      `${shown} did not answer within 0.3 s`,
    );
  });
});
