import { InputError } from '@backstage/errors';

/** The workspace, port and path that a request to the gateway leads to. */
export interface GatewayRoute {
  workspaceId: string;
  /** A devfile endpoint's port; null for the IDE itself. */
  port: number | null;
  /** The path that the IDE or the application sees, with its query. Starts with a slash. */
  path: string;
  /** What the gateway took off the front of the path: empty with a host per workspace. */
  prefix: string;
}

const PLACEHOLDER = '{workspace}';
const LABEL = /^(workspace(?:-[a-z0-9]+)+)(?:--([1-9][0-9]{0,4}))?$/;

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * The addresses of IDEs and of the applications that run in workspaces, by one
 * template with the placeholder `{workspace}`:
 *
 * - in the path, `http://localhost:7010/w/{workspace}/`: one origin for all,
 *   which works everywhere without DNS;
 * - in the host, `https://{workspace}.ide.example.org/`: an origin for each,
 *   so that no workspace's page can read another's.
 *
 * The placeholder stands for the workspace's id, or for `<id>--<port>` where an
 * endpoint of the devfile is meant.
 */
export class IdeAddresses {
  readonly #template: string;
  readonly #host: RegExp;
  readonly #path: RegExp;
  /** True when every workspace has a host of its own. */
  readonly hostPerWorkspace: boolean;
  /** True when browsers reach the gateway over TLS. */
  readonly secure: boolean;

  /** @throws InputError when the template is no http(s) URL with the placeholder in host or path. */
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

  /** Address of the IDE of a workspace, with the trailing slash that relative links in it need. */
  ide(workspaceId: string): string {
    return this.#template.replace(PLACEHOLDER, workspaceId);
  }

  /**
   * Address of an application that listens on a port of a workspace; the
   * application's root for a path that leads out of it.
   */
  endpoint(workspaceId: string, port: number, path = '/'): string {
    const root = this.#template.replace(PLACEHOLDER, `${workspaceId}--${port}`);
    const address = root + path.replace(/^\/+/, '');
    // As browsers read them: a path may climb in more ways than by dots.
    return new URL(address).href.startsWith(new URL(root).href)
      ? address
      : root;
  }

  /** Address of a route's root: {@link ide} or {@link endpoint}. */
  of(route: Pick<GatewayRoute, 'workspaceId' | 'port'>): string {
    return route.port === null
      ? this.ide(route.workspaceId)
      : this.endpoint(route.workspaceId, route.port);
  }

  /** @returns where a request leads; undefined when it is for no workspace. */
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
