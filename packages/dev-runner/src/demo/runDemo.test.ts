import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Demo } from './DemoClient.ts';
import { runDemo } from './runDemo.ts';

const STEP = { title: 'Catalog', status: 'done', done: 1, total: 1 } as const;

/** A fake portal that returns one state after another. */
class PortalStandIn {
  readonly calls: string[] = [];
  status = 200;
  #states: Partial<Demo>[];
  #server: Server;

  constructor(...states: Partial<Demo>[]) {
    this.#states = states;
    this.#server = createServer((req, res) => {
      this.calls.push(`${req.method} ${req.url}`);
      if (req.url?.startsWith('/api/auth/')) {
        res.end('{"backstageIdentity":{"token":"ada"}}');
        return;
      }
      if (req.headers.authorization !== 'Bearer ada') {
        res.statusCode = 401;
      }
      const [state] = this.#states;
      if (req.method === 'GET' && this.#states.length > 1) {
        this.#states.shift();
      }
      res.end(
        JSON.stringify({
          steps: [],
          error: null,
          refusal: null,
          writes: [{ title: 'Catalog', writes: '60 people' }],
          ...state,
        }),
      );
    });
  }

  async start(): Promise<string> {
    await new Promise<void>(resolve => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }
}

async function run(portal: PortalStandIn, ...args: string[]) {
  const lines: string[] = [];
  const api = await portal.start();
  try {
    const exitCode = await runDemo({
      args,
      api,
      say: text => lines.push(text),
      pollMs: 1,
    });
    return { exitCode, text: lines.join('\n') };
  } finally {
    portal.stop();
  }
}

it('shows what it writes, loads it as an admin and waits for the end', async () => {
  const portal = new PortalStandIn(
    { phase: 'absent' },
    { phase: 'loading' },
    { phase: 'loaded', steps: [STEP] },
  );
  const { exitCode, text } = await run(portal);
  expect(exitCode).toBe(0);
  expect(text).toContain('60 people');
  expect(text).toContain('✓ Catalog');
  expect(text).toContain('./slipway demo --remove');
  expect(portal.calls).toContain('POST /api/demo/organisation');
});

it('removes', async () => {
  const portal = new PortalStandIn(
    { phase: 'loaded' },
    { phase: 'removing' },
    { phase: 'absent' },
  );
  const { exitCode, text } = await run(portal, '--remove');
  expect(exitCode).toBe(0);
  expect(text).toContain('is removed');
  expect(portal.calls).toContain('DELETE /api/demo/organisation');
});

it('lists the part that is removed last, too', async () => {
  const { text } = await run(
    new PortalStandIn(
      { phase: 'loaded' },
      { phase: 'removing', steps: [{ ...STEP, status: 'running' }] },
      { phase: 'absent' },
    ),
    '--remove',
  );
  expect(text).toContain('✓ Catalog');
});

it.each([
  ['a refusal', { phase: 'absent', refusal: 'Not here' }, 'Not here'],
  ['a failure', { phase: 'failed', error: 'Delivery: down' }, 'Delivery: down'],
] as [string, Partial<Demo>, string][])(
  'exits with 1 for %s',
  async (_, state, words) => {
    const { exitCode, text } = await run(new PortalStandIn(state));
    expect(exitCode).toBe(1);
    expect(text).toContain(words);
  },
);

it('prints its usage for unknown arguments', async () => {
  const { exitCode, text } = await run(new PortalStandIn({}), '--force');
  expect(exitCode).toBe(2);
  expect(text).toContain('Usage: ./slipway demo');
});

it('explains how to start a portal that is not responding', async () => {
  const lines: string[] = [];
  const exitCode = await runDemo({
    args: ['--url', 'http://127.0.0.1:1'],
    api: '',
    say: text => lines.push(text),
  });
  expect(exitCode).toBe(1);
  expect(lines.join()).toContain('./slipway dev');
});
