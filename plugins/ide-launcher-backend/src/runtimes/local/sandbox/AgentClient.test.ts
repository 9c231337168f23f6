import { ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TunnelAgent } from '../../../ide-gateway/ideRoutes';
import { AgentClient } from './SandboxSockets';

const AGENT = fileURLToPath(
  new URL('../../../../assets/workspace-agent.cjs', import.meta.url),
);

/**
 * Replaces the editor: prints its port, sends a greeting on it, and echoes its input.
 */
const SERVER = `
const server = require('node:http').createServer((req, res) => {
  res.write('hello ');
  req.pipe(res);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const never = new AbortController().signal;

describe('AgentClient', () => {
  let folder: string;
  let agent: ChildProcess;
  let client: AgentClient;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'agent-'));
    const socket = path.join(folder, 'agent.sock');
    agent = spawn(
      process.execPath,
      [AGENT, socket, process.execPath, '-e', SERVER],
      { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
    );
    port = await new Promise<number>(resolve => {
      agent.stdout?.once('data', text => resolve(Number(text)));
    });
    await vi.waitUntil(() => existsSync(socket));
    client = new AgentClient(() => socket);
  });

  afterAll(() => {
    process.kill(-agent.pid!, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  function post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const tunnel = new TunnelAgent(
        async () => (await client.openPort(port))!,
      );
      request({ method: 'POST', agent: tunnel }, answer => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', chunk => (text += chunk))
          .on('end', () => resolve(text))
          .on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  }

  it('forwards requests to a port and returns their responses', async () => {
    expect(await post('Ada')).toBe('hello Ada');
    const large = 'x'.repeat(4 * 1024 ** 2);
    expect(await post(large)).toBe(`hello ${large}`);
  });

  it('reports that nothing listens', async () => {
    expect(await client.listens(port)).toBe(true);
    expect(await client.openPort(1)).toBeNull();
    expect(await new AgentClient(() => `${folder}/none`).listens(port)).toBe(
      false,
    );
  });

  it('treats a silent agent like a closed port', async () => {
    const file = path.join(folder, 'silent.sock');
    const ends: Promise<unknown>[] = [];
    const silent = createServer(socket =>
      ends.push(once(socket.resume(), 'close')),
    );
    await new Promise<void>(resolve => silent.listen(file, resolve));
    const suspended = new AgentClient(() => file, { openTimeoutMs: 100 });

    expect(await suspended.openPort(port)).toBeNull();
    await Promise.all(ends);
    silent.close();
  });

  it('runs a command, and returns its output and exit status', async () => {
    const lines: string[] = [];
    const run = (script: string, timeoutMs = 60_000) =>
      client.run({
        command: ['/bin/sh', '-c', script],
        cwd: folder,
        env: { WHO: 'Ada' },
        timeoutMs,
        signal: never,
        onLine: line => lines.push(line),
      });

    expect(await run('echo "hello $WHO"; exit 3')).toBe(
      'it ended with exit code 3',
    );
    expect(lines).toEqual(['hello Ada']);
    expect(await run('true')).toBeNull();
    expect(await run('sleep 60', 300)).toBe('it timed out after 0 seconds');
  });
});
