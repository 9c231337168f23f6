import { type ChildProcess, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import {
  API_TOKEN,
  FakeApiServer,
  type SeenRequest,
  type StoredEvent,
  type StoredObject,
} from '@slipway/cluster-client/testing';
import { type WebSocket, WebSocketServer } from 'ws';
import { descendantsOf } from './descendantsOf.ts';
import { findPodFaults } from './podFaults.ts';

interface Pod {
  /** The output as the kubelet stores it: lines with timestamps. */
  log: string[];
  line: string;
  child: ChildProcess | undefined;
  readers: Set<() => void>;
  isOver: boolean;
}

/* eslint-disable @typescript-eslint/no-explicit-any -- what the executor sent */

/**
 * A fake cluster that runs the pods of Jobs in bubblewrap, with their volumes, variables and logs.
 * Rejects objects that builds must not create.
 */
export class FakeCluster extends FakeApiServer {
  readonly images = new Set(['registry.example/tools:1']);
  /** Cuts off the log after this many bytes, once per pod, like a broken connection. */
  cutLogsAfter = Infinity;
  /**
   * Called when a pod would be scheduled; if it returns true, the pod stays pending.
   */
  hold: (pod: StoredObject) => boolean = () => false;
  readonly #directory: string;
  readonly #pods = new Map<string, Pod>();
  readonly #cut = new Set<string>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: () => 'v4.channel.k8s.io',
  });
  #clock = 0n;

  private constructor(directory: string) {
    super({ findFaults: findPodFaults });
    this.#directory = directory;
    this.store.onEvent(event => this.#react(event));
  }

  static async create(): Promise<FakeCluster> {
    const cluster = new FakeCluster(
      await mkdtemp(path.join(tmpdir(), 'cluster-')),
    );
    cluster.store.add('namespaces', {
      metadata: { name: 'builds', namespace: '' },
    });
    await cluster.start();
    return cluster;
  }

  /** Writes a kubeconfig for clients of this cluster. @returns its path. */
  async kubeconfig(): Promise<string> {
    const file = path.join(this.#directory, 'config.json');
    const [name, cluster, user] = ['test', 'test', 'test'];
    await writeFile(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [
          {
            name,
            cluster: { server: this.url, 'insecure-skip-tls-verify': true },
          },
        ],
        users: [{ name, user: { token: API_TOKEN } }],
        contexts: [{ name, context: { cluster, user } }],
        'current-context': name,
      }),
    );
    return file;
  }

  async end(): Promise<void> {
    this.#pods.forEach(({ child }) => child?.kill('SIGKILL'));
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  names(plural: string): string[] {
    return this.store.list(plural).map(({ metadata }) => metadata.name);
  }

  /** Evicts a pod, like a node that runs short of memory. */
  evict(name: string): void {
    const pod = this.store.get('pods', 'builds', name)!;
    this.#kill(name);
    this.#setStatus(pod, {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on memory',
    });
  }

  protected override knows(pathname: string): boolean {
    return pathname.startsWith('/apis/batch/v1/');
  }

  protected override serveOther(
    url: URL,
    { path: pathname }: SeenRequest,
    res: ServerResponse,
  ): boolean {
    const [, name] = /\/pods\/([^/]+)\/log$/.exec(pathname) ?? [];
    if (name === undefined) {
      return false;
    }
    this.#sendLog(name, url.searchParams, res);
    return true;
  }

  protected override upgrade(
    req: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): void {
    const url = new URL(req.url ?? '', this.url);
    const [, name] = /\/pods\/([^/]+)\/exec$/.exec(url.pathname) ?? [];
    const pod = this.store.get('pods', 'builds', name ?? '');
    if (!pod || this.#pods.get(pod.metadata.name)?.isOver) {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(req, socket, head, ws =>
      this.#exec(ws, pod, url.searchParams.getAll('command')),
    );
  }

  #react({ type, plural, object }: StoredEvent): void {
    if (plural === 'pods' && type === 'DELETED') {
      this.#kill(object.metadata.name);
    }
    const { suspend, template } = (object.spec ?? {}) as {
      suspend?: boolean;
      template?: {
        metadata: { labels: Record<string, string> };
        spec: Record<string, unknown>;
      };
    };
    if (plural !== 'jobs' || type === 'DELETED' || suspend || !template) {
      return;
    }
    const { name, uid, namespace } = object.metadata;
    const pod = `${name}-x1y2z`;
    if (this.#pods.has(pod)) {
      return;
    }
    this.#pods.set(pod, {
      log: [],
      line: '',
      child: undefined,
      readers: new Set(),
      isOver: false,
    });
    const stored = this.store.add('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: pod,
        namespace,
        labels: {
          ...template.metadata.labels,
          'batch.kubernetes.io/job-name': name,
        },
        ownerReferences: [{ uid }],
      },
      spec: template.spec,
      status: { phase: 'Pending' },
    });
    if (!this.hold(stored)) {
      this.#start(stored);
    }
  }

  #start(pod: StoredObject): void {
    const { name } = pod.metadata;
    const { containers } = pod.spec as any;
    const [{ image, command, env, envFrom = [] }] = containers;
    const secrets = envFrom.map(({ secretRef }: any) =>
      this.store.get('secrets', 'builds', secretRef.name),
    );
    if (!this.images.has(image)) {
      this.#setStatus(
        pod,
        waiting('InvalidImageName', `no such image ${image}`),
      );
      return;
    }
    if (secrets.includes(undefined)) {
      this.#setStatus(
        pod,
        waiting('CreateContainerConfigError', 'secret not found'),
      );
      return;
    }
    const variables = Object.assign(
      Object.fromEntries(env.map(({ name: key, value }: any) => [key, value])),
      ...secrets.map(({ stringData }: any) => stringData),
    );
    const running = this.#pods.get(name)!;
    const child = this.#spawn(pod, command, variables);
    running.child = child;
    child.stdout!.on('data', chunk => this.#print(running, String(chunk)));
    child.stderr!.on('data', chunk => this.#print(running, String(chunk)));
    child.once('close', (code, signal) => {
      running.isOver = true;
      running.readers.forEach(read => read());
      if (
        this.store.get('pods', 'builds', name)?.status?.reason !== 'Evicted'
      ) {
        const exitCode = code ?? (signal === 'SIGKILL' ? 137 : 143);
        this.#setStatus(pod, {
          phase: exitCode === 0 ? 'Succeeded' : 'Failed',
          containerStatuses: [{ state: { terminated: { exitCode } } }],
        });
      }
    });
    this.#setStatus(pod, {
      phase: 'Running',
      podIP: '10.1.2.3',
      containerStatuses: [{ state: { running: {} } }],
    });
  }

  #spawn(
    pod: StoredObject,
    argv: string[],
    env: Record<string, string>,
  ): ChildProcess {
    const { securityContext, volumes } = pod.spec as any;
    const uid = String(securityContext.runAsUser);
    const folder = path.join(
      this.#directory,
      volumes[0].persistentVolumeClaim.claimName,
    );
    mkdirSync(folder, { recursive: true });
    // Same permissions as with `fsGroup`.
    chmodSync(folder, 0o777);
    const isRoot = process.getuid?.() === 0;
    return spawn(
      'bwrap',
      [
        ...(isRoot ? [] : ['--unshare-user', '--uid', uid]),
        ...[
          '--unshare-pid',
          '--die-with-parent',
          '--new-session',
          '--clearenv',
        ],
        ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin'],
        ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
        ...[
          '--proc',
          '/proc',
          '--dev',
          '/dev',
          '--perms',
          '1777',
          '--tmpfs',
          '/tmp',
        ],
        ...['--bind', folder, '/build', '--setenv', 'PATH', '/usr/bin:/bin'],
        ...Object.entries(env).flatMap(([key, value]) => [
          '--setenv',
          key,
          value,
        ]),
        ...['--chdir', '/build', '--'],
        ...(isRoot
          ? ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', '--']
          : []),
        ...argv,
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
  }

  /** Adds to the log of a pod; each line begins with its time. */
  #print(pod: Pod, text: string): void {
    for (const part of text.split(/(?<=\n)/)) {
      pod.line += part;
      if (pod.line.endsWith('\n')) {
        pod.log.push(`${this.#time()} ${pod.line}`);
        pod.line = '';
      }
    }
    pod.readers.forEach(read => read());
  }

  /** Returns a timestamp in the kubelet's format; several lines may share one. */
  #time(): string {
    this.#clock += 1n;
    const nanos = String((this.#clock / 3n) % 1_000_000_000n).padStart(9, '0');
    return `2026-01-01T00:00:00.${nanos}Z`;
  }

  #sendLog(name: string, query: URLSearchParams, res: ServerResponse): void {
    const pod = this.#pods.get(name);
    if (!pod) {
      res.writeHead(404).end();
      return;
    }
    let at = 0;
    let sent = 0;
    res.writeHead(200, { 'content-type': 'text/plain' });
    res.flushHeaders();
    const read = () => {
      for (; at < pod.log.length; at += 1) {
        const line = pod.log[at];
        if (sent + line.length > this.cutLogsAfter && !this.#cut.has(name)) {
          this.#cut.add(name);
          res.write(line.slice(0, Math.ceil(line.length / 2)), () =>
            res.destroy(),
          );
          return;
        }
        sent += line.length;
        res.write(line);
      }
      if (pod.isOver && pod.line) {
        pod.log.push(`${this.#time()} ${pod.line}`);
        pod.line = '';
        read();
      } else if (pod.isOver || query.get('follow') !== 'true') {
        res.end();
      }
    };
    pod.readers.add(read);
    res.on('close', () => pod.readers.delete(read));
    read();
  }

  #exec(ws: WebSocket, pod: StoredObject, argv: string[]): void {
    const { env } = (pod.spec as any).containers[0];
    const child = this.#spawn(
      pod,
      argv,
      Object.fromEntries(env.map(({ name, value }: any) => [name, value])),
    );
    const tell = (channel: number) => (chunk: Buffer) =>
      ws.send(Buffer.concat([Buffer.of(channel), chunk]));
    child.stdin!.on('error', () => undefined);
    ws.on('message', (data: Buffer) => {
      if (data[0] === 0) {
        child.stdin!.write(data.subarray(1));
      }
    });
    ws.on('close', () => child.kill('SIGKILL'));
    child.stdout!.on('data', tell(1));
    child.stderr!.on('data', tell(2));
    child.once('close', code => {
      const status =
        code === 0
          ? { status: 'Success' }
          : {
              status: 'Failure',
              reason: 'NonZeroExitCode',
              details: {
                causes: [{ reason: 'ExitCode', message: String(code) }],
              },
            };
      tell(3)(Buffer.from(JSON.stringify(status)));
      ws.close();
    });
  }

  #setStatus(
    { metadata }: StoredObject,
    status: Record<string, unknown>,
  ): void {
    const pod = this.store.get('pods', 'builds', metadata.name);
    if (pod) {
      this.store.change('pods', { ...pod, status });
    }
  }

  #kill(name: string): void {
    const child = this.#pods.get(name)?.child;
    for (const pid of descendantsOf(child?.pid)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone already.
      }
    }
    child?.kill('SIGKILL');
  }
}

function waiting(reason: string, message: string): Record<string, unknown> {
  return {
    phase: 'Pending',
    containerStatuses: [{ state: { waiting: { reason, message } } }],
  };
}
