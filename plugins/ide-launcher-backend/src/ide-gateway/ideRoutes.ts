import { Agent } from 'node:http';
import { Duplex } from 'node:stream';
import { InputError } from '@backstage/errors';
import { IdeTarget, WorkspaceRuntime } from '../runtimes/WorkspaceRuntime';
import { WorkspaceStore } from '../workspaces/storage/WorkspaceStore';

/** The workspace, port and path of a request to the gateway. */
export interface GatewayRoute {
  workspaceId: string;
  /** A devfile endpoint's port; null for the IDE itself. */
  port: number | null;
  /** The path sent to the IDE or application, with its query. Starts with a slash. */
  path: string;
  /** The prefix removed from the path; empty with one host per workspace. */
  prefix: string;
}

const PLACEHOLDER = '{workspace}';
const LABEL = /^(workspace(?:-[a-z0-9]+)+)(?:--([1-9][0-9]{0,4}))?$/;

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Builds and parses the URLs of IDEs and of applications in workspaces, based on one template
 * with the placeholder `{workspace}`:
 *
 * - in the path, `http://localhost:7010/w/{workspace}/`: one origin for all workspaces, which
 *   works everywhere without DNS;
 * - in the host, `https://{workspace}.ide.example.org/`: one origin per workspace, so that no
 *   workspace's page can read another's.
 *
 * The placeholder is replaced by the workspace's id, or by `<id>--<port>` for an endpoint of the
 * devfile.
 */
export class IdeAddresses {
  readonly #template: string;
  readonly #host: RegExp;
  readonly #path: RegExp;
  /** True if every workspace has its own host. */
  readonly hostPerWorkspace: boolean;
  /** True if browsers reach the gateway over TLS. */
  readonly secure: boolean;

  /** @throws InputError if the template is not an http(s) URL with the placeholder in host or path. */
  constructor(template: string) {
    const parsed = URL.canParse(template)
      ? new URL(template.replace(PLACEHOLDER, 'placeholder'))
      : undefined;
    if (
      !parsed ||
      !/^https?:$/.test(parsed.protocol) ||
      template.split(PLACEHOLDER).length !== 2 ||
      !template.endsWith('/')
    ) {
      throw new InputError(
        `The IDE address template must be an http(s) URL that contains ${PLACEHOLDER} once and ends in a slash, e.g. http://localhost:7010/w/${PLACEHOLDER}/; it is '${template}'`,
      );
    }
    this.#template = template;
    this.secure = parsed.protocol === 'https:';
    this.hostPerWorkspace = parsed.host.includes('placeholder');
    const pattern = (text: string) =>
      escapeRegExp(text).replace('placeholder', '([a-z0-9-]+)');
    this.#host = new RegExp(`^${pattern(parsed.host)}$`, 'i');
    this.#path = new RegExp(
      `^${pattern(parsed.pathname.replace(/\/$/, ''))}(?=/|$|\\?)`,
    );
  }

  /** Returns the URL of a workspace's IDE, with a trailing slash for the relative links in it. */
  ide(workspaceId: string): string {
    return this.#template.replace(PLACEHOLDER, workspaceId);
  }

  /**
   * Returns the URL of an application on a port of a workspace; the application's root if the
   * path leads out of it.
   */
  endpoint(workspaceId: string, port: number, path = '/'): string {
    const root = this.#template.replace(PLACEHOLDER, `${workspaceId}--${port}`);
    const address = root + path.replace(/^\/+/, '');
    // Resolved like a browser does it, because dots are not the only way to leave a path.
    return new URL(address).href.startsWith(new URL(root).href)
      ? address
      : root;
  }

  /** Returns the URL of an application in a workspace, with `{{port}}` in place of the port. */
  portTemplate(workspaceId: string): string {
    return this.#template.replace(PLACEHOLDER, `${workspaceId}--{{port}}`);
  }

  /** Returns the URL of a route's root: {@link ide} or {@link endpoint}. */
  of(route: Pick<GatewayRoute, 'workspaceId' | 'port'>): string {
    return route.port === null
      ? this.ide(route.workspaceId)
      : this.endpoint(route.workspaceId, route.port);
  }

  /** Returns the route of a request; undefined if it does not belong to a workspace. */
  route(request: { host: string; url: string }): GatewayRoute | undefined {
    const host = this.#host.exec(request.host);
    const path = this.#path.exec(request.url);
    if (!path || (this.hostPerWorkspace && !host)) {
      return undefined;
    }
    const label = LABEL.exec(
      (this.hostPerWorkspace ? host![1] : path[1]) ?? '',
    );
    if (!label) {
      return undefined;
    }
    const [, workspaceId, port] = label;
    const rest = request.url.slice(path[0].length);
    return {
      workspaceId,
      port: port ? Number(port) : null,
      path: rest.startsWith('/') ? rest : `/${rest}`,
      prefix: path[0],
    };
  }
}

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
  /** Revokes the tickets and sessions of a workspace. */
  access: { revoke(workspaceId: string): Promise<void> };
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

  /** Returns whether a workspace runs, as far as the gateway knows. */
  isOpen(workspaceId: string): boolean {
    return this.#ides.has(workspaceId);
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
      return {
        socketPath: ide.path,
        host: 'localhost',
        port: 80,
        protocol: 'http:',
      };
    case 'origin':
      return toOrigin(ide.url);
    default:
      return undefined;
  }
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
