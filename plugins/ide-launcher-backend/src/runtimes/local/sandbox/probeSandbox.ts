import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { ownAddresses, SLIRP_GATEWAY } from '@slipway/processes';
import { InstallationPaths } from '../files/WorkspacePaths';
import {
  closedNetworks,
  GATE_STDIO,
  NetworkTools,
  openNetwork,
  samplesOf,
} from '../network/NetworkGate';
import { Sandbox, workspaceFolders } from './Sandbox';

const PROBE_ID = 'workspace-probe';
const PROBE_TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 4_000;

/**
 * Program that runs inside the sandbox and reports forbidden access. Ports of this machine must
 * refuse connections, and blocked networks must have no route at all.
 */
const PROBE_PROGRAM = `
const { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const { lease, home, port, own, closed } = JSON.parse(process.argv[1]);
writeFileSync(home + '/probe', '');
const faults = [];
if (process.getuid() === 0) faults.push('its programs run as root');
if (!/^CapEff:\\s*0+$/m.test(readFileSync('/proc/self/status', 'utf8'))) faults.push('its programs have privileges');
if (existsSync(lease)) faults.push('it sees the folders of others');
if (readdirSync('/proc').filter(name => /^\\d+$/.test(name)).length > 10) faults.push('it sees other processes');
try {
  closeSync(openSync('/proc/sys/kernel/core_pattern', 'r+'));
  faults.push('it can change settings of the kernel');
} catch {}
const dial = (host, port) => new Promise(resolve => {
  const socket = connect({ host, port, timeout: 1000 });
  const done = answer => { socket.destroy(); resolve({ host, answer }); };
  socket.on('connect', () => done('open')).on('error', ({ code }) => done(code)).on('timeout', () => done('silent'));
});
Promise.all([
  Promise.all(own.map(host => dial(host, port))),
  Promise.all(closed.map(host => dial(host, 80))),
]).then(([machine, networks]) => {
  if (machine.some(({ answer }) => answer === 'open')) faults.push('it reaches ports of the portal');
  const reached = networks.filter(({ answer }) => !/^E(HOST|NET)UNREACH$/.test(answer)).map(({ host }) => host);
  if (reached.length) faults.push('it has a way to ' + reached.join(' and '));
  console.log(faults.length ? 'FAULT ' + faults.join(', ') : 'SEALED');
});
`;

/**
 * Runs a program in the sandbox, in the same way as editors, that attempts forbidden access.
 *
 * @returns null if the sandbox is effective, otherwise the reason, as the end of a sentence.
 */
export async function probeSandbox(
  sandbox: Sandbox,
  installation: InstallationPaths,
): Promise<string | null> {
  const paths = installation.of(PROBE_ID);
  const tools = sandbox.networkTools;
  const listener = createServer(socket => socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      // Listens on all addresses, like services of this machine may; closes every connection.
      listener.listen(0, tools ? '0.0.0.0' : '127.0.0.1', resolve);
    });
    for (const folder of workspaceFolders(paths)) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    await sandbox.prepare(PROBE_ID, paths);
    const address = listener.address();
    const question = {
      lease: installation.lease,
      home: paths.home,
      port: address && typeof address === 'object' ? address.port : 0,
      own: tools ? ['127.0.0.1', SLIRP_GATEWAY, ...closedOwn(tools)] : [],
      closed: tools ? samplesOf(closedNetworks(tools.allowed)) : [],
    };
    const { output, code } = await run(
      sandbox,
      sandbox.command({
        workspaceId: PROBE_ID,
        paths,
        cwd: paths.home,
        network: sandbox.network,
        command: [
          ...[process.execPath, '-e', PROBE_PROGRAM, '--'],
          JSON.stringify(question),
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

/** Returns the addresses of this machine that the operator has not allowed. */
function closedOwn({ allowed }: NetworkTools): string[] {
  return ownAddresses().filter(address => !allowed.includes(`${address}/32`));
}

async function run(sandbox: Sandbox, [program, ...args]: string[]) {
  const tools = sandbox.networkTools;
  const env = { PATH: '/usr/bin:/bin' };
  const child = spawn(program, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...(tools ? GATE_STDIO : [])],
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
  if (tools) {
    const opened = openNetwork(child, { tools, env });
    const helper = await Promise.race([opened, ended.then(() => null)]);
    const code = await ended;
    helper?.();
    return { output, code };
  }
  const code = await ended;
  return { output, code };
}
