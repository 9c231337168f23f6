import { BuildClient } from '../__testUtils__/BuildClient.ts';
import {
  HELLO,
  startBuildServer,
  type TestServer,
} from '../__testUtils__/startBuildServer.ts';

const REPOSITORY = 'https://ada:topsecret@forge.example.org/shop/cart.git';

let server: TestServer;
let client: BuildClient;

beforeAll(async () => {
  server = await startBuildServer({
    jobs: [
      { ...HELLO, schedule: ['0 4 * * *'] },
      { name: 'cart', source: { repository: REPOSITORY }, steps: HELLO.steps },
    ],
    now: () => Date.parse('2026-11-20T03:00:00Z'),
  });
  client = new BuildClient(server.url);
});

afterAll(() => server.stop());

describe('a browser', () => {
  const anyone = () => new BuildClient(server.url, null);
  const open = (path: string) =>
    anyone().send('GET', path, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });

  it.each([
    ['/', '/builds'],
    ['/job/hello/', '/builds/hello'],
    ['/job/hello', '/builds/hello'],
    ['/job/hello/7/', '/builds/hello/7'],
    ['/job/hello/7/console', '/builds/hello/7'],
    ['/job/hello/lastBuild/', '/builds/hello'],
    ['/job/shop/job/main/7/', '/builds/shop%2Fmain/7'],
    // Only the page finds out whether the build exists.
    ['/job/none/1/', '/builds/none/1'],
  ])('that opens %s is led to %s', async (path, page) => {
    const { status, headers } = await open(path);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(`http://localhost:3000${page}`);
  });

  it('is led nowhere from the routes of programs', async () => {
    expect((await open('/job/hello/api/json')).status).toBe(401);
    expect((await open('/job/hello/1/consoleText')).status).toBe(401);
    expect((await anyone().get('/job/hello/')).status).toBe(401);
    expect((await client.get('/job/hello/')).body).toMatchObject({
      name: 'hello',
    });
  });
});

describe('what the page of a job shows', () => {
  it('has where events are sent, and when it runs next', async () => {
    const { body } = await client.get('/job/hello/api/json');
    expect(body).toMatchObject({
      webhook: {
        url: `${server.url}/generic-webhook-trigger/invoke`,
        token: 'hello-webhook',
        signingSecrets: [],
      },
      schedule: ['0 4 * * *'],
      nextRunAt: Date.parse('2026-11-20T04:00:00Z'),
    });
    const other = await client.get('/job/cart/api/json');
    expect(other.body).toMatchObject({ webhook: null, nextRunAt: null });
  });

  it('has its file, without the password of an address', async () => {
    const { body } = await client.get('/job/cart/file');
    expect(body.file).toMatch(/\.yaml$/);
    expect(body.text).toContain('https://****@forge.example.org/shop/cart.git');
    expect(body.text).not.toContain('topsecret');
    expect((await client.get('/job/none/file')).status).toBe(404);
    const anyone = new BuildClient(server.url, null);
    expect((await anyone.get('/job/cart/file')).status).toBe(401);
  });
});
