import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { descendantsOf } from './descendantsOf.ts';

interface Container {
  id: string;
  name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the executor sent
  spec: any;
  output: http.ServerResponse | undefined;
  child: ChildProcess | undefined;
  code: Promise<number>;
  end: (code: number) => void;
}

/**
 * A fake of the podman and docker API that runs commands in bubblewrap, with the folders of the
 * container. Rejects requests that builds must not send.
 */
export class FakeEngine {
  /** Validation errors of requests. */
  readonly faults: string[] = [];
  /** True to claim to run without root privileges. */
  isRootless = false;
  readonly images = new Set(['registry.example/tools:1']);
  /** Names of containers that cannot be removed. */
  readonly stuck = new Set<string>();
  readonly socket: string;
  readonly #containers = new Map<string, Container>();
  readonly #server: http.Server;
  readonly #directory: string;
  #count = 0;

  private constructor(directory: string) {
    this.#directory = directory;
    this.socket = path.join(directory, 'engine.sock');
    this.#server = http.createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  static async start(): Promise<FakeEngine> {
    const directory = await mkdtemp(path.join(tmpdir(), 'engine-'));
    const engine = new FakeEngine(directory);
    engine.#server.listen(engine.socket);
    await once(engine.#server, 'listening');
    return engine;
  }

  /** Names of the existing containers. */
  get names(): string[] {
    return [...this.#containers.values()].map(({ name }) => name);
  }

  async stop(): Promise<void> {
    this.#containers.forEach(({ child }) => child?.kill('SIGKILL'));
    this.#server.closeAllConnections();
    this.#server.close();
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #answer(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) {
      parts.push(part);
    }
    const text = Buffer.concat(parts).toString();
    const url = new URL(request.url ?? '', 'http://engine');
    const [, version, kind, id, verb] = url.pathname.split('/');
    const send = (status: number, body?: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body && JSON.stringify(body));
    };
    this.#check(version === 'v1.41', 'the version of the API');
    if (kind === 'images') {
      const image = decodeURIComponent(id);
      const isHere = id === 'create' || this.images.has(image);
      if (id === 'create') {
        const wanted = url.searchParams.get('fromImage') ?? '';
        // Real engines respond with 200 even if a pull fails.
        send(200, { error: `no such image "${wanted}"` });
        return;
      }
      send(isHere ? 200 : 404, isHere ? {} : { message: 'no such image' });
      return;
    }
    if (kind === 'version') {
      const Components = [{ Name: 'Podman Engine' }];
      send(200, { Version: '5.0.0', Components });
      return;
    }
    if (kind === 'info') {
      const SecurityOptions = ['name=seccomp,profile=default'];
      const { isRootless: Rootless } = this;
      send(200, {
        ...{ SecurityOptions, Rootless, CgroupVersion: '1' },
        ...{ MemoryLimit: true, PidsLimit: false },
      });
      return;
    }
    if (kind === 'containers' && id === 'json') {
      const { label } = JSON.parse(url.searchParams.get('filters') ?? '{}');
      const [name, value] = String(label).split('=');
      const found = [...this.#containers.values()].filter(({ spec }) =>
        value === undefined ? name in spec.Labels : spec.Labels[name] === value,
      );
      send(
        200,
        found.map(({ id: Id, spec }) => ({ Id, Labels: spec.Labels })),
      );
      return;
    }
    if (kind === 'containers' && id === 'create') {
      this.#create(url.searchParams.get('name') ?? '', JSON.parse(text), send);
      return;
    }
    const container = this.#containers.get(id);
    if (!container) {
      send(404, { message: 'no such container' });
      return;
    }
    if (request.method === 'DELETE' && this.stuck.has(container.name)) {
      send(500, { message: 'the device is busy' });
    } else if (request.method === 'DELETE') {
      container.child?.kill('SIGKILL');
      await (container.child ? container.code : undefined);
      this.#containers.delete(id);
      send(204);
    } else if (verb === 'attach') {
      response.writeHead(200, {
        'content-type': 'application/vnd.docker.raw-stream',
      });
      response.flushHeaders();
      container.output = response;
    } else if (verb === 'start') {
      this.#start(container);
      send(204);
    } else if (verb === 'wait') {
      send(200, { StatusCode: await container.code });
    } else if (verb === 'kill') {
      const signal = url.searchParams.get('signal') as NodeJS.Signals;
      for (const pid of descendantsOf(container.child?.pid)) {
        // Signals the program inside, because `--init` forwards signals.
        signalIfRunning(pid, signal);
      }
      send(204);
    } else {
      send(200, { State: { OOMKilled: false } });
    }
  }

  #check(isFine: boolean, what: string): void {
    if (!isFine) {
      this.faults.push(what);
    }
  }

  #create(
    name: string,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- what the executor sent
    spec: any,
    send: (status: number, body?: object) => void,
  ): void {
    const { HostConfig: host } = spec;
    this.#check(/^\d{4,}:\d{4,}$/.test(spec.User), 'a user that is not root');
    this.#check(String(host.CapDrop) === 'ALL', 'no capabilities');
    this.#check(
      String(host.SecurityOpt) === 'no-new-privileges',
      'no new privileges',
    );
    this.#check(host.ReadonlyRootfs === true, 'a root to be read');
    this.#check(host.Init === true, 'an init');
    this.#check(host.Memory > 0 && host.Memory === host.MemorySwap, 'memory');
    this.#check(host.PidsLimit > 0, 'a limit of processes');
    this.#check(host.Privileged === undefined, 'no privileges');
    this.#check(
      host.Binds.length === 3 && !/docker|podman/.test(String(host.Binds)),
      'the three folders of the build alone',
    );
    if ([...this.#containers.values()].some(other => other.name === name)) {
      send(409, { message: 'the name is taken' });
      return;
    }
    this.#count += 1;
    const id = `c${this.#count}`;
    let end: (code: number) => void = () => {};
    const code = new Promise<number>(resolve => {
      end = resolve;
    });
    this.#containers.set(id, {
      ...{ id, name, spec, code, end },
      output: undefined,
      child: undefined,
    });
    send(201, { Id: id });
  }

  #start(container: Container): void {
    const { spec, output } = container;
    const { Binds, NetworkMode } = spec.HostConfig;
    const [uid] = spec.User.split(':');
    const isRoot = process.getuid?.() === 0;
    const child = spawn(
      'bwrap',
      [
        ...(isRoot ? [] : ['--unshare-user', '--uid', uid]),
        '--unshare-pid',
        ...['--die-with-parent', '--new-session', '--clearenv'],
        ...(NetworkMode === 'none' ? ['--unshare-net'] : []),
        ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin'],
        ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
        ...['--proc', '/proc', '--dev', '/dev'],
        ...['--perms', '0755', '--dir', '/build'],
        ...Binds.flatMap((bind: string) => {
          const [here, there] = bind.split(':');
          return ['--bind', here, there];
        }),
        ...['--setenv', 'PATH', '/usr/bin:/bin'],
        ...spec.Env.flatMap((entry: string) => {
          const at = entry.indexOf('=');
          return ['--setenv', entry.slice(0, at), entry.slice(at + 1)];
        }),
        ...['--chdir', spec.WorkingDir, '--'],
        ...(isRoot
          ? ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', '--']
          : []),
        ...spec.Cmd,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    container.child = child;
    const pass = (stream: number) => (chunk: Buffer) => {
      const header = Buffer.alloc(8);
      header[0] = stream;
      header.writeUInt32BE(chunk.length, 4);
      output?.write(Buffer.concat([header, chunk]));
    };
    child.stdout.on('data', pass(1));
    child.stderr.on('data', pass(2));
    child.once('close', (code, signal) => {
      output?.end();
      container.end(code ?? (signal === 'SIGKILL' ? 137 : 143));
    });
  }
}

/** Signals a process, unless it has ended in the meantime. */
function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}
