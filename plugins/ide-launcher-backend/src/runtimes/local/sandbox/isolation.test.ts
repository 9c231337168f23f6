import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownAddresses } from '@slipway/processes';
import { makeDevfile } from '../../../__testUtils__/devfile';
import { WorkspaceExit } from '../../WorkspaceRuntime';
import {
  askEditor,
  Harness,
  isAlive,
  RecordingReporter,
} from '../__testUtils__/harness';
import { zipArchive } from '../__testUtils__/zipArchive';
import { InstallationPaths } from '../files/WorkspacePaths';
import { LocalRuntimeLimits } from '../options';
import { findWorkspaceProcesses } from '../process/processTable';
import { chooseIsolation } from './isolation';
import { Isolation } from './Sandbox';

const ID = 'workspace-01sealed';
const never = new AbortController().signal;

/**
 * Probes the capabilities of this machine; tests that it cannot run are skipped with a
 * reason.
 */
async function probe(
  network: 'auto' | 'shared',
  limits: Partial<LocalRuntimeLimits> = {},
  allowedNetworks: string[] = [],
): Promise<Isolation> {
  const harness = new Harness();
  try {
    const options = harness.options();
    return await chooseIsolation(
      {
        ...options,
        isolation: { ...options.isolation, network, allowedNetworks },
        limits: { ...options.limits, ...limits },
      },
      { production: false },
    );
  } finally {
    await harness.close();
  }
}

describe('a sandbox', () => {
  // eslint-disable-next-line jest/no-done-callback -- the test's context
  it('is given no higher limits than this machine has', async context => {
    const { sandbox, reasons } = await probe('shared', {
      processes: 2 ** 30,
      openFiles: 2 ** 30,
    });
    context.skip(/not installed/.test(reasons.join()), reasons.join(' '));
    expect(reasons).toEqual(['The network is shared by configuration.']);
    expect(sandbox?.limits.openFiles).toBeLessThan(2 ** 30);
  });
});

describe('a sandboxed workspace', () => {
  let shared: Isolation;
  let harness: Harness;

  beforeAll(async () => {
    shared = await probe('shared');
  });

  // eslint-disable-next-line jest/no-done-callback -- the test's context
  beforeEach(context => {
    harness = new Harness(shared);
    context.skip(!shared.sandbox, shared.reasons.join(' '));
  });

  afterEach(() => harness.close());

  async function start(devfile = makeDevfile()) {
    const runtime = harness.runtime();
    const reporter = new RecordingReporter();
    const workspace = await runtime.start(
      harness.spec(ID, devfile),
      reporter,
      never,
    );
    const shell = (script: string) =>
      askEditor<string>(
        workspace,
        `/shell?script=${encodeURIComponent(script)}`,
      );
    return { runtime, reporter, workspace, shell };
  }

  function processes() {
    const { installation } = new InstallationPaths(harness.dataDir);
    return findWorkspaceProcesses(installation);
  }

  it('finds no secret of the portal in environments and /proc', async () => {
    process.env.PORTAL_SECRET = 'hush-hush';
    const { shell } = await start();
    const found = await shell(
      'cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr "\\0" "\\n"; ps ax 2>/dev/null; env',
    );
    delete process.env.PORTAL_SECRET;

    expect(found).toContain('fakeEditor.mjs');
    expect(found).not.toContain('hush-hush');
    expect(found).not.toContain('vitest');
    expect(await shell(`ls /proc/${process.ppid}/cwd/ 2>&1`)).toContain(
      'No such file',
    );
    expect(await shell('ls /proc | grep -cE "^[0-9]+$"')).toMatch(/^\d\n$/);
  });

  it('sees only its own folders, and cannot write system files', async () => {
    const secret = mkdtempSync(path.join(tmpdir(), 'portal-'));
    writeFileSync(path.join(secret, 'app-config.yaml'), 'token: hush');
    const { shell } = await start();
    const installation = new InstallationPaths(harness.dataDir);
    const { root, runState } = installation.of(ID);

    expect(await shell(`cat ${secret}/app-config.yaml 2>&1`)).toContain(
      'No such file',
    );
    expect(await shell(`ls ${installation.workspaces}`)).toBe(
      `${path.basename(root)}\n`,
    );
    expect(await shell(`cat ${runState} 2>&1`)).toContain('No such file');
    for (const place of ['/usr', '/etc', '/', '/dev', harness.dataDir]) {
      expect(await shell(`touch ${place}/x 2>&1 || echo refused`)).toContain(
        'refused',
      );
    }
    expect(await shell('cat /etc/shadow 2>&1')).toContain('No such file');
    expect(await shell('echo ok > ~/x && cat ~/x; umask')).toBe('ok\n0077\n');
    rmSync(secret, { recursive: true });
  });

  it('cannot be reached through the target of a workspace that has ended', async () => {
    const { runtime, workspace } = await start();
    const { target } = workspace;
    await runtime.stop(ID);
    await runtime.start(
      harness.spec('workspace-02other'),
      new RecordingReporter(),
      never,
    );

    await expect(askEditor({ target }, '/pid')).rejects.toThrow('ENOENT');
  });

  it('owns the unpacked files', async () => {
    const location = 'https://files.example.org/shop.zip';
    harness.archives.archives.set(
      location,
      await zipArchive({ 'shop/src/index.js': 'one\n' }),
    );
    const { shell, reporter } = await start(
      makeDevfile({
        projects: [{ name: 'shop', type: 'zip', clonePath: null, location }],
      }),
    );
    const { projects } = new InstallationPaths(harness.dataDir).of(ID);

    expect(reporter.warnings).toEqual([]);
    expect(
      await shell(
        `cd ${projects}/shop/src && echo two >> index.js && touch new && cat index.js; stat -c %u . new index.js | sort -u; id -u`,
      ),
    ).toMatch(/^one\ntwo\n(\d+)\n\1\n$/);
  });

  it('has no privileges and a separate user', async () => {
    const { shell } = await start();
    expect(await shell('id -u')).not.toBe('0\n');
    expect(await shell('whoami')).toBe('workspace\n');
    const status = await shell('cat /proc/self/status');
    expect(status).toMatch(/CapEff:\s+0+\n/);
    expect(status).toMatch(/NoNewPrivs:\s+1\n/);
  });

  it('is stopped when a fork bomb meets the limit of processes', async () => {
    const { runtime, shell } = await start();
    const exit = new Promise<WorkspaceExit>(resolve => runtime.onExit(resolve));
    // The editor may be stopped before it responds.
    await shell(
      "bash -c 'while :; do sleep 100 & done' >/dev/null 2>&1 & true",
    ).catch(() => '');

    const { processes: limit } = harness.options().limits;
    const { reason } = await exit;
    const count = /^The workspace ran (\d+) processes of at most 200/.exec(
      reason,
    )?.[1];
    expect(Number(count)).toBeLessThanOrEqual(limit + 10);
    expect(await processes()).toEqual([]);
  });

  it('ends terminals with the editor, and reports why', async () => {
    const { runtime, shell } = await start();
    const exit = new Promise(resolve => runtime.onExit(resolve));
    await shell('setsid sleep 1000 >/dev/null 2>&1 & true');
    const before = await processes();
    await shell('kill -9 $PPID').catch(() => '');

    expect(await exit).toEqual({
      id: ID,
      reason: 'The editor was killed (SIGKILL)',
    });
    for (const { pid } of before) {
      expect(await isAlive(pid)).toBe(false);
    }
  });

  it('cannot keep the next portal from starting by taking its sockets away', async () => {
    const { runtime, shell } = await start();
    const { agentSocket } = new InstallationPaths(harness.dataDir).of(ID);
    await shell(`rm ${agentSocket}`);
    await runtime.shutdown({ stopWorkspaces: false });

    expect(await harness.runtime().list()).toMatchObject([
      { id: ID, running: false },
    ]);
    expect(await processes()).toEqual([]);
  });

  it('is adopted by the next portal, with its isolation', async () => {
    const { runtime, workspace } = await start();
    const before = runtime.isolation(harness.spec(ID));
    await runtime.shutdown({ stopWorkspaces: false });

    const next = harness.runtime();
    const [found] = await next.list();
    expect(found.running).toBe(true);
    expect(await askEditor(found, '/pid')).toEqual(expect.any(Number));
    expect(next.isolation(harness.spec(ID))).toEqual(before);
    expect(before).toMatchObject({ kind: 'bubblewrap', network: 'shared' });
    expect(workspace.target.kind).toBe('socket');
  });

  it('runs postStart commands next to the editor, and reports their exit status', async () => {
    const base = {
      type: 'exec' as const,
      component: 'tools',
      label: null,
      group: null,
      workingDir: null,
      env: [{ name: 'WHO', value: 'Ada' }],
    };
    const { reporter, shell } = await start(
      makeDevfile({
        commands: [
          { ...base, id: 'greet', commandLine: 'echo "hello $WHO" $(id -un)' },
          { ...base, id: 'stay', commandLine: 'sleep 4321 & true' },
          { ...base, id: 'fail', commandLine: 'exit 4' },
        ],
        events: {
          preStart: [],
          postStart: ['greet', 'stay', 'fail'],
          preStop: [],
          postStop: [],
        },
      }),
    );
    await vi.waitFor(() =>
      expect(reporter.steps.get('command:fail')?.state).toBe('warning'),
    );
    expect(reporter.lines).toContain('command: hello Ada workspace');
    expect(reporter.steps.get('command:greet')?.state).toBe('done');
    expect(reporter.steps.get('command:fail')?.message).toBe(
      'Run fail failed: it ended with exit code 4',
    );
    expect(await shell('pgrep -f "sleep 4321" | wc -l')).not.toBe('0\n');
  });

  it('does not lead the portal out of its folders by links', async () => {
    const victim = mkdtempSync(path.join(tmpdir(), 'victim-'));
    const { runtime, workspace } = await start();
    const { run, userData } = new InstallationPaths(harness.dataDir).of(ID);
    const target = workspace.target.kind === 'socket' && workspace.target.path;
    // Simulates what a terminal could do while the workspace is running.
    rmSync(path.join(run, 'ide.sock'));
    symlinkSync(path.join(victim, 'ide.sock'), path.join(run, 'ide.sock'));
    expect(target).not.toContain(run);
    expect(await askEditor(workspace, '/pid')).toEqual(expect.any(Number));
    // …and leave behind for the next start.
    await runtime.stop(ID);
    rmSync(path.join(userData, 'User'), { recursive: true });
    symlinkSync(victim, path.join(userData, 'User'));
    const again = await runtime.start(
      harness.spec(ID),
      new RecordingReporter(),
      never,
    );
    expect(await askEditor(again, '/pid')).toEqual(expect.any(Number));
    expect(await isEmpty(victim)).toBe(true);
    rmSync(victim, { recursive: true });
  });

  it('forwards to a port that one of its processes listens on', async () => {
    const { runtime, workspace } = await start();
    const port = await askEditor<number>(workspace, '/listen');
    expect(await runtime.port(ID, port)).toEqual({ host: '127.0.0.1', port });
  });
});

describe('a workspace with its own network', () => {
  // eslint-disable-next-line jest/no-done-callback -- the test's context
  it('does not reach the platform’s ports, and is reached by its own', async context => {
    const own = await probe('auto');
    context.skip(own.sandbox?.network !== 'own', own.reasons.join(' '));
    const harness = new Harness(own);
    const portal = createServer((_, answer) => answer.end('portal'));
    await new Promise<void>(resolve => {
      portal.listen(0, '0.0.0.0', resolve);
    });
    const { port } = portal.address() as AddressInfo;
    try {
      const runtime = harness.runtime();
      const workspace = await runtime.start(
        harness.spec(ID),
        new RecordingReporter(),
        never,
      );
      for (const host of [
        ...['127.0.0.1', '10.0.2.2', 'localhost'],
        ...ownAddresses(),
      ]) {
        const script = `bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>&1 && echo reached || echo sealed`;
        const answer = await askEditor<string>(
          workspace,
          `/shell?script=${encodeURIComponent(script)}`,
        );
        expect(answer).toContain('sealed');
      }

      for (const host of ['169.254.169.254', '168.63.129.16', '10.1.2.3']) {
        const script = `timeout 5 bash -c 'exec 3<>/dev/tcp/${host}/80' 2>&1`;
        const answer = await askEditor<string>(
          workspace,
          `/shell?script=${encodeURIComponent(script)}`,
        );
        expect(answer).toMatch(/No route to host|Network is unreachable/);
      }
      const kernel = await askEditor<string>(
        workspace,
        `/shell?script=${encodeURIComponent(
          'cat /proc/self/status | grep CapEff; test -w /proc/sys/kernel/core_pattern && echo open || echo sealed; ip route del unreachable 169.254.0.0/16 2>&1; unshare -Urn true 2>&1; test -w /proc/sys/kernel/core_pattern && echo open || echo sealed',
        )}`,
      );
      expect(kernel).toMatch(/CapEff:\s*0+\n/);
      expect(kernel).not.toContain('open');

      const served = await askEditor<number>(workspace, '/listen');
      const found = await runtime.port(ID, served);
      const socket = await found!.connect!();
      socket.write('GET / HTTP/1.0\r\n\r\n');
      expect(await readAll(socket)).toMatch(/hello$/);
      expect(await runtime.port(ID, port)).toBeNull();
      expect(runtime.isolation(harness.spec(ID)).network).toBe('own');

      // The next portal finds the way in, and the workspace its way out.
      await runtime.shutdown({ stopWorkspaces: false });
      const next = harness.runtime();
      expect((await next.list())[0].running).toBe(true);
      expect(await next.port(ID, served)).not.toBeNull();
    } finally {
      portal.close();
      await harness.close();
    }
  });
});

describe('a workspace whose operator opens a network', () => {
  // eslint-disable-next-line jest/no-done-callback -- the test's context
  it('reaches only listed addresses', async context => {
    const [address] = ownAddresses();
    const own = await probe('auto', {}, address ? [`${address}/32`] : []);
    context.skip(own.sandbox?.network !== 'own', own.reasons.join(' '));
    context.skip(!address, 'this machine has no address of its own');
    const harness = new Harness(own);
    const server = createServer((_, answer) => answer.end());
    await new Promise<void>(resolve => {
      server.listen(0, '0.0.0.0', resolve);
    });
    const { port } = server.address() as AddressInfo;
    try {
      const workspace = await harness
        .runtime()
        .start(harness.spec(ID), new RecordingReporter(), never);
      const dial = (host: string) =>
        askEditor<string>(
          workspace,
          `/shell?script=${encodeURIComponent(
            `timeout 5 bash -c 'exec 3<>/dev/tcp/${host}/${port}' 2>&1 && echo reached || echo sealed`,
          )}`,
        );
      expect(await dial(address)).toContain('reached');
      expect(await dial('127.0.0.1')).toContain('sealed');
      expect(await dial('169.254.169.254')).toContain('sealed');
    } finally {
      server.close();
      await harness.close();
    }
  });
});

async function isEmpty(folder: string): Promise<boolean> {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(folder)).length === 0;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
  }
  return text;
}
