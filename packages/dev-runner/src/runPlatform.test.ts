import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PlatformLog } from './output.ts';
import type { PartDefinition } from './parts.ts';
import { runPlatform, type StopListener } from './runPlatform.ts';

/** Responds on the port in its first argument; GET /crash ends it. */
const PART = `
  require('node:http').createServer((request, response) => {
    response.end(String(process.pid));
    if (request.url === '/crash') setTimeout(() => process.exit(3), 50);
  }).listen(Number(process.argv[1]), '127.0.0.1');
`;

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

async function definePart(name: string) {
  const port = await freePort();
  return {
    name,
    command: ['node', '-e', PART, String(port)],
    cwd: '.',
    ports: [port],
    readyUrl: `http://127.0.0.1:${port}/`,
    addresses: [
      { label: name, url: `http://127.0.0.1:${port}/`, signIn: 'as anyone' },
    ],
  } satisfies PartDefinition;
}

describe('runPlatform', () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'dev-runner-'));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  function run(parts: PartDefinition[]) {
    let output = '';
    let listener: StopListener | undefined;
    const exitCode = runPlatform({
      parts,
      root,
      stateDirectory: path.join(root, '.data'),
      env: process.env,
      log: new PlatformLog({
        parts: parts.map(part => part.name),
        write: text => {
          output += text;
        },
        colour: false,
      }),
      askedToStop: added => {
        listener = added;
      },
    });
    return {
      exitCode,
      output: () => output,
      printed: (text: string) =>
        vi.waitFor(() => expect(output).toContain(text), { timeout: 30_000 }),
      stop: () => listener?.first('told to'),
    };
  }

  it('announces the addresses once every part is ready, and stops all parts', async () => {
    const parts = [await definePart('app'), await definePart('backend')];
    const platform = run(parts);

    await platform.printed('Ctrl-C stops everything.');
    expect(platform.output()).toContain(
      `  app      ${parts[0].readyUrl}  as anyone\n  backend  ${parts[1].readyUrl}  as anyone`,
    );

    platform.stop();
    expect(await platform.exitCode).toBe(0);
    expect(platform.output()).toMatch(
      /told to, stopping every part[^]*everything has stopped/,
    );
    await expect(fetch(parts[0].readyUrl)).rejects.toThrow('fetch failed');
  });

  it('reports that a part has crashed, and restarts it', async () => {
    const part = await definePart('backend');
    const platform = run([part]);
    await platform.printed('Slipway is ready');
    const firstPid = await (await fetch(part.readyUrl)).text();

    await fetch(`${part.readyUrl}crash`);

    await platform.printed(
      'backend has ended (exit code 3), starts again in 1.0 s',
    );
    await platform.printed('backend is ready again');
    expect(await (await fetch(part.readyUrl)).text()).not.toBe(firstPid);
    platform.stop();
    await platform.exitCode;
  });

  it('restarts a part only once its port is free', async () => {
    const part = await definePart('backend');
    const [port] = part.ports;
    const platform = run([part]);
    await platform.printed('Slipway is ready');

    await fetch(`${part.readyUrl}crash`);
    await platform.printed('backend has ended');
    const other = createServer().listen(port, '127.0.0.1');
    await platform.printed(
      `port ${port}, which backend needs, is taken by process ${process.pid}`,
    );
    other.close();

    await platform.printed('backend is ready again');
    expect(platform.output().match(/backend has ended/g)).toHaveLength(1);
    platform.stop();
    await platform.exitCode;
  });

  it('stops while a part waits for its port', async () => {
    const part = await definePart('backend');
    const platform = run([part]);
    await platform.printed('Slipway is ready');
    await fetch(`${part.readyUrl}crash`);
    await platform.printed('backend has ended');
    const other = createServer().listen(part.ports[0], '127.0.0.1');
    await platform.printed('is taken by process');

    platform.stop();

    expect(await platform.exitCode).toBe(0);
    other.close();
  });

  it('starts a part once its dependency has ended, and restarts it if that succeeds later', async () => {
    const build: PartDefinition = {
      name: 'build',
      // Fails the first time, like a build of half-written sources.
      command: [
        'sh',
        '-c',
        'echo building; [ -e tried ] || { touch tried; exit 1; }',
      ],
      cwd: '.',
      ports: [],
      addresses: [],
    };
    const server = { ...(await definePart('server')), startsAfter: 'build' };
    const platform = run([server, build]);

    await platform.printed('build has ended (exit code 1), starts again');
    const firstPid = await vi.waitFor(
      async () => (await fetch(server.readyUrl)).text(),
      { timeout: 30_000 },
    );
    await vi.waitFor(
      async () =>
        expect(await (await fetch(server.readyUrl)).text()).not.toBe(firstPid),
      { timeout: 30_000 },
    );
    await platform.printed('Slipway is ready');

    platform.stop();
    expect(await platform.exitCode).toBe(0);
    expect(platform.output().match(/ building$/gm)).toHaveLength(2);
  });

  it('does not call a part ready that lacks what a failed part should have made', async () => {
    const build: PartDefinition = {
      name: 'build',
      command: [
        'sh',
        '-c',
        '[ -e corrected ] || { echo No pages: a typo in Page.tsx; exit 1; }',
      ],
      cwd: '.',
      ports: [],
      addresses: [],
    };
    const portal = {
      ...(await definePart('portal')),
      startsAfter: 'build',
      needs: { part: 'build', otherwise: 'Correct the error.' },
    };
    const platform = run([portal, build]);

    await platform.printed(
      'portal is not complete: No pages: a typo in Page.tsx',
    );
    expect(platform.output()).toContain('Correct the error.');
    expect(platform.output()).not.toMatch(/is ready/);

    writeFileSync(path.join(root, 'corrected'), '');
    await platform.printed('Slipway is ready');

    platform.stop();
    expect(await platform.exitCode).toBe(0);
  });

  it('does not start if a port is in use', async () => {
    const part = await definePart('backend');
    const server = createServer().listen(part.ports[0], '127.0.0.1');
    const platform = run([part]);

    expect(await platform.exitCode).toBe(1);
    server.close();
    expect(platform.output()).toContain(
      `port ${part.ports[0]}, which backend needs, is taken by process ${process.pid}`,
    );
  });

  it('does not start twice', async () => {
    const part = await definePart('backend');
    const first = run([part]);
    await first.printed('Slipway is ready');

    const second = run([part]);

    expect(await second.exitCode).toBe(1);
    expect(second.output()).toContain(
      `the platform runs already, as process ${process.pid}`,
    );
    first.stop();
    await first.exitCode;
  });
});
