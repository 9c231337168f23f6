/**
 * Stands between the runner and one part: starts the part in a process group
 * of its own and ends that whole group when the runner asks for it, or is gone.
 * A kill -9 leaves the runner no last word, but it closes the IPC channel.
 *
 * Plain JavaScript, because one of these runs beside every part and stripping
 * types would cost each of them 18 MB.
 *
 * Usage: node guard.mjs <grace in milliseconds> <command> [arguments]
 * Receives 'stop'; sends {spawned: pid}, then {exited: {code, signal, error}}.
 */
import { spawn } from 'node:child_process';

/** How long what a part left behind may take to end once the part has ended. */
const STRAGGLER_GRACE_MS = 1_000;
const POLL_MS = 50;

const [graceMs, command, ...args] = process.argv.slice(2);
const part = spawn(command, args, {
  detached: true,
  stdio: ['ignore', 'pipe', 'pipe'],
});

function report(message) {
  if (process.connected) {
    process.send(message, () => {});
  }
}

/** Signals the part's group; false when nobody is left in it. */
function signalGroup(signal) {
  try {
    process.kill(-part.pid, signal);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

let stopping = false;
function stop() {
  if (stopping || part.pid === undefined) {
    return;
  }
  stopping = true;
  signalGroup('SIGTERM');
  setTimeout(() => signalGroup('SIGKILL'), Number(graceMs));
}

async function endStragglers() {
  const deadline = Date.now() + STRAGGLER_GRACE_MS;
  signalGroup('SIGTERM');
  while (signalGroup(0) && Date.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
  signalGroup('SIGKILL');
}

/**
 * The part writes to the guard and not to the runner, so that a part which logs
 * while it shuts down does not die of a broken pipe when the runner is gone.
 */
function forward(source, target) {
  source.pipe(target);
  target.on('error', () => {
    source.unpipe(target);
    source.resume();
  });
}

forward(part.stdout, process.stdout);
forward(part.stderr, process.stderr);

part.once('spawn', () => report({ spawned: part.pid }));
part.once('error', error => {
  report({ exited: { code: null, signal: null, error: error.message } });
  process.disconnect?.();
});
part.once('exit', async (code, signal) => {
  await endStragglers();
  report({ exited: { code, signal } });
  // The last lines are in the pipe when the part exits, not yet read.
  setTimeout(() => process.exit(), POLL_MS);
});

process.on('message', message => message === 'stop' && stop());
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, stop);
}
