import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { InstallationPaths } from '../WorkspacePaths';
import { GATE_STDIO, openNetwork } from './NetworkGate';
import { Sandbox } from './Sandbox';
import { workspaceFolders } from './WorkspaceUsers';

const PROBE_ID = 'workspace-probe';
const PROBE_TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 4_000;

/** Run inside; says what it can reach of what it must not. */
const PROBE_PROGRAM = `
const { existsSync, readdirSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const [lease, port, home] = process.argv.slice(1);
writeFileSync(home + '/probe', '');
const faults = [];
if (process.getuid() === 0) faults.push('its programs run as root');
if (existsSync(lease)) faults.push('it sees the folders of others');
if (readdirSync('/proc').filter(name => /^\\d+$/.test(name)).length > 10) faults.push('it sees other processes');
const reach = host => new Promise(resolve => {
  const socket = connect({ host, port: Number(port), timeout: 1000 });
  const done = reached => { socket.destroy(); resolve(reached); };
  socket.on('connect', () => done(true)).on('error', () => done(false)).on('timeout', () => done(false));
});
Promise.all(port ? ['127.0.0.1', '10.0.2.2'].map(reach) : []).then(reached => {
  if (reached.includes(true)) faults.push('it reaches ports of the portal');
  console.log(faults.length ? 'FAULT ' + faults.join(', ') : 'SEALED');
});
`;

/**
 * Runs a program in the sandbox, the way editors will be, and lets it look for
 * what it must not find.
 *
 * @returns null when the sandbox holds, else why it does not, as the end of a sentence.
 */
export async function probeSandbox(
  sandbox: Sandbox,
  installation: InstallationPaths,
): Promise<string | null> {
  const paths = installation.of(PROBE_ID);
  const listener = createServer(socket => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(0, '127.0.0.1', resolve);
    });
    for (const folder of workspaceFolders(paths)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await sandbox.prepare(PROBE_ID, paths);
    const address = listener.address();
    const port =
      sandbox.network === 'own' && address && typeof address === 'object'
        ? String(address.port)
        : '';
    const { output, code } = await run(
      sandbox,
      sandbox.command({
        workspaceId: PROBE_ID,
        paths,
        cwd: paths.home,
        network: sandbox.network,
        command: [
          ...[process.execPath, '-e', PROBE_PROGRAM, '--'],
          ...[installation.lease, port, paths.home],
        ],
      }),
    );
    if (output.includes('SEALED')) {
      return null;
    }
    return (
      /FAULT (.*)/.exec(output)?.[1] ??
      output.trim().split('\n').at(-1)?.trim() ??
      `it ended with ${code}`
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    listener.close();
    await rm(paths.root, { recursive: true, force: true });
    await rm(paths.run, { recursive: true, force: true });
  }
}

async function run(sandbox: Sandbox, [program, ...args]: string[]) {
  const own = sandbox.network === 'own';
  const env = { PATH: '/usr/bin:/bin' };
  const child = spawn(program, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(own ? GATE_STDIO : [])],
    timeout: PROBE_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  let output = '';
  const collect = (chunk: Buffer) => {
    output = (output + chunk).slice(-MAX_OUTPUT);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (own && sandbox.slirp) {
    const opened = openNetwork(child, { slirp: sandbox.slirp, env });
    const helper = await Promise.race([opened, ended.then(() => null)]);
    const code = await ended;
    helper?.();
    return { output, code };
  }
  const code = await ended;
  return { output, code };
}
