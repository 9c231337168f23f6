import { InputError } from '@backstage/errors';

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
