import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import { IdeTarget, WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { WorkspaceStore } from '../workspaces/storage/WorkspaceStore';
import { IdeAccessService } from './IdeAccessService';
import { GatewayRoute } from './IdeAddresses';

/** An HTTP agent that sends requests over connections from a given function. */
export class TunnelAgent extends Agent {
  readonly #connect: () => Promise<Duplex>;

  constructor(connect: () => Promise<Duplex>) {
    super();
    this.#connect = connect;
  }

  override createConnection(
    _options: unknown,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.#connect().then(
      stream => callback?.(null, stream),
      // Errors are reported without a stream, as the caller expects.
      error => callback?.(error, undefined as unknown as Duplex),
    );
  }
}

/** The upstream server of a request. */
export interface ForwardTarget {
  host: string;
  port: number;
  protocol: 'http:' | 'https:';
  /** Used instead of host and port. */
  socketPath?: string;
  /** Used instead of a connection to host and port. */
  agent?: Agent;
  /** Prefix of every path. */
  pathname?: string;
  /**
   * True if requests use the target's host instead of the gateway's, because routers in between
   * select the target by it.
   */
  changeOrigin?: boolean;
}

/** Dependencies of {@link IdeTargets}. */
interface IdeTargetsOptions {
  store: Pick<WorkspaceStore, 'get'>;
  runtime: Pick<WorkspaceRuntime, 'port'>;
  access: Pick<IdeAccessService, 'revoke'>;
}

/** Keeps the addresses of running IDEs, and finds the declared ports of their workspaces. */
export class IdeTargets {
  readonly #options: IdeTargetsOptions;
  readonly #ides = new Map<string, IdeTarget>();
  readonly #declaredPorts = new Map<string, ReadonlySet<number>>();

  constructor(options: IdeTargetsOptions) {
    this.#options = options;
  }

  /** Opens access to a workspace's IDE, and to the endpoints that its devfile has now. */
  open(workspaceId: string, target: IdeTarget): void {
    this.#declaredPorts.delete(workspaceId);
    this.#ides.set(workspaceId, target);
  }

  /** Closes access to a workspace's IDE: revokes all tickets and sessions and closes all connections. */
  async close(workspaceId: string): Promise<void> {
    this.#ides.delete(workspaceId);
    this.#declaredPorts.delete(workspaceId);
    await this.#options.access.revoke(workspaceId);
  }

  /**
   * Returns the target of the route; undefined if nothing listens there, or the port is not an
   * endpoint of the devfile.
   */
  async resolve(
    route: Pick<GatewayRoute, 'workspaceId' | 'port'>,
  ): Promise<ForwardTarget | undefined> {
    const ide = this.#ides.get(route.workspaceId);
    if (!ide) {
      return undefined;
    }
    if (route.port === null) {
      return toForward(ide);
    }
    if (!(await this.isEndpoint(route.workspaceId, route.port))) {
      return undefined;
    }
    const found = await this.#options.runtime.port(
      route.workspaceId,
      route.port,
    );
    if (!found) {
      return undefined;
    }
    const { host, port, connect } = found;
    return {
      host,
      port,
      protocol: 'http:',
      ...(connect && { agent: new TunnelAgent(connect) }),
    };
  }

  /** Returns whether a port is an endpoint of a workspace's devfile that may be reached. */
  async isEndpoint(workspaceId: string, port: number): Promise<boolean> {
    return (await this.#portsOf(workspaceId)).has(port);
  }

  async #portsOf(workspaceId: string): Promise<ReadonlySet<number>> {
    let ports = this.#declaredPorts.get(workspaceId);
    if (!ports) {
      const workspace = await this.#options.store.get(workspaceId);
      ports = new Set(
        workspace?.devfile.components.flatMap(component =>
          component.type === 'container'
            ? component.container.endpoints
                .filter(({ exposure }) => exposure !== 'none')
                .map(({ targetPort }) => targetPort)
            : [],
        ),
      );
      this.#declaredPorts.set(workspaceId, ports);
    }
    return ports;
  }
}

function toForward(ide: IdeTarget): ForwardTarget | undefined {
  switch (ide.kind) {
    case 'socket':
      return toSocket(ide.path);
    case 'origin':
      return toOrigin(ide.url);
    default:
      return undefined;
  }
}

function toSocket(socketPath: string): ForwardTarget {
  return { socketPath, host: 'localhost', port: 80, protocol: 'http:' };
}

function toOrigin(url: string): ForwardTarget {
  const { hostname, pathname, port, protocol } = new URL(url);
  const secure = protocol === 'https:';
  return {
    host: hostname,
    port: Number(port || (secure ? 443 : 80)),
    protocol: secure ? 'https:' : 'http:',
    pathname,
    changeOrigin: true,
  };
}
