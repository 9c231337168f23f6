'use strict';
// The first program of a sandbox. It runs the editor, exits with the editor's exit code,
// and offers on its socket what the portal cannot do from outside: running a command
// next to the editor, and connecting to a port of the sandbox's own network. It runs as
// the workspace's user and has no secrets that the workspace's terminals do not have.
//
// One request per connection, a line of JSON; the response is lines of JSON:
//   {"port": 3000}                    -> {"connected": true}, then the port's bytes
//   {"run": [...], "cwd", "env"}      -> {"output": "<base64>"}…, {"code", "signal"}
const { spawn } = require('node:child_process');
const { existsSync, rmSync } = require('node:fs');
const { connect, createServer } = require('node:net');

const MAX_REQUEST_BYTES = 1024 * 1024;
const LOOPBACKS = ['127.0.0.1', '::1'];
/** Time for output that a command wrote before it ended to arrive. */
const LAST_OUTPUT_MS = 50;

const [socketFile, program, ...args] = process.argv.slice(2);

process.umask(0o077);
const editor = spawn(program, args, { stdio: 'inherit' });
editor.on('error', error => {
  console.error(`The editor could not be started: ${error.message}`);
  process.exit(127);
});
editor.on('exit', (code, signal) => {
  process.exit(
    signal ? 128 + require('node:os').constants.signals[signal] : code,
  );
});
// Ignored: the editor is in the same process group and receives these signals too.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {});
}

if (existsSync(socketFile)) {
  rmSync(socketFile);
}
createServer({ allowHalfOpen: true }, serve).listen(socketFile);

function serve(client) {
  let received = Buffer.alloc(0);
  client.on('error', () => client.destroy());
  client.on('data', function read(chunk) {
    received = Buffer.concat([received, chunk]);
    const end = received.indexOf('\n');
    if (end < 0) {
      if (received.length > MAX_REQUEST_BYTES) {
        client.destroy();
      }
      return;
    }
    client.off('data', read);
    client.pause();
    try {
      const request = JSON.parse(received.subarray(0, end).toString());
      if (request.port) {
        forward(client, request.port, [...LOOPBACKS]);
      } else {
        run(client, request);
      }
    } catch {
      client.destroy();
    }
  });
}

function forward(client, port, [host, ...others]) {
  const upstream = connect({ host, port, allowHalfOpen: true });
  const fail = () => {
    upstream.destroy();
    if (others.length > 0) {
      forward(client, port, others);
    } else {
      client.destroy();
    }
  };
  upstream.once('error', fail);
  upstream.once('connect', () => {
    upstream.off('error', fail);
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.write('{"connected":true}\n');
    client.pipe(upstream);
    upstream.pipe(client);
  });
}

function run(client, { run: [command, ...parts], cwd, env }) {
  const child = spawn(command, parts, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const say = message => client.write(`${JSON.stringify(message)}\n`);
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', data => say({ output: data.toString('base64') }));
    stream.on('error', () => {});
  }
  child.on('error', error => {
    ended = true;
    say({ error: error.message });
    client.end();
  });
  child.on('exit', (code, signal) => {
    ended = true;
    setTimeout(() => {
      say({ code, signal });
      client.end();
    }, LAST_OUTPUT_MS);
  });
  client.resume();
  client.on('close', () => {
    // The client is gone: the command was cancelled or took too long.
    if (!ended && child.pid) {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    }
  });
}
