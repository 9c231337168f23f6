import { type PlatformAddresses, portOf } from './readAddresses.ts';

/** One row of the table that is printed when the platform is ready. */
export interface AddressRow {
  /** What is found there, e.g. `Portal`. */
  label: string;
  /** Full URL. */
  url: string;
  /** How to sign in there, in a few words. */
  signIn: string;
}

/** One process of the platform, as `yarn dev` runs it. */
export interface PartDefinition {
  /** Short name: the prefix of its log lines and the name of its run record. */
  name: string;
  /** Program and arguments; `node` is the Node that runs the runner. */
  command: readonly [string, ...string[]];
  /** Working directory, relative to the repository's root. */
  cwd: string;
  /** TCP ports on the loopback interface that must be free before the start. */
  ports: readonly number[];
  /**
   * Answers 2xx once the part can be used. Left out for a part that does something and
   * ends: what it did is there once it has ended with exit code 0.
   */
  readyUrl?: string;
  /**
   * Part without a `readyUrl` that has to end, well or not, before this one starts. This
   * one starts again when that one succeeds later.
   */
  startsAfter?: string;
  /** What the part adds to the table of addresses. */
  addresses: readonly AddressRow[];
  /** Added to the runner's own environment. */
  env?: Readonly<Record<string, string>>;
  /**
   * Workspace package whose sources, and those of the workspace packages that
   * it depends on, restart the part when they change. Left out for a part that
   * reloads by itself.
   */
  restartOnChangeOf?: string;
  /** A folder like `restartOnChangeOf`, whose first change is only reported: a restart would show it. */
  tellOnChangeOf?: string;
  /** Lines of the part's output that say nothing to a developer. */
  noise?: readonly RegExp[];
  /** What is cut out of the lines that remain. */
  redundant?: readonly RegExp[];
}

type Command = readonly [string, ...string[]];

/**
 * The command of a Node process that keeps little room for short-lived objects, which V8
 * does not give back once it has grown: a quarter of what an idle process takes. It costs
 * throughput, which a development machine with few callers has to spare.
 */
export function withSmallHeap([node, ...args]: Command): Command {
  return [node, '--max-semi-space-size=2', ...args];
}

/** Builds the portal's pages, which the back end serves, where their sources have changed. */
const appBuild = {
  name: 'app',
  command: ['node', 'src/portal/buildApp.ts'],
  cwd: 'packages/dev-runner',
  ports: [],
  tellOnChangeOf: '@slipway/app',
  addresses: [],
} satisfies PartDefinition;

/** The portal's own address, in front of the back end. */
function frontDoor({
  portal,
  apiPort,
}: Pick<PlatformAddresses, 'portal' | 'apiPort'>): PartDefinition {
  const port = portOf(new URL(portal));
  return {
    name: 'portal',
    command: [
      'node',
      'src/portal/main.ts',
      String(port),
      `http://127.0.0.1:${apiPort}`,
    ],
    cwd: 'packages/dev-runner',
    ports: [port],
    readyUrl: portal,
    addresses: [portalRow(portal)],
  };
}

/** The app's development server: hot reload, for ten times the memory. */
export function appServer(portal: string): PartDefinition {
  return {
    name: 'app',
    command: [
      'node',
      '../../node_modules/@backstage/cli/bin/backstage-cli',
      'package',
      'start',
    ],
    cwd: 'packages/app',
    env: { NODE_ENV: 'development', BROWSER: 'none' },
    ports: [portOf(new URL(portal))],
    readyUrl: portal,
    addresses: [portalRow(portal)],
    noise: [/^<i> /, /Project is running at/, /Loopback:/],
  };
}

function portalRow(portal: string) {
  return { label: 'Portal', url: portal, signIn: 'sign in as ada or grace' };
}

/** The process of the portal's back end. */
export const backendProcess = {
  // What `backstage-cli package start` runs, without the command in between:
  // that one stays up, silent, when the back end under it has crashed.
  command: [
    'node',
    '--enable-source-maps',
    '--require',
    '@backstage/cli/config/nodeTransform.cjs',
    'src/index',
  ],
  cwd: 'packages/backend',
  env: { NODE_ENV: 'development' },
} satisfies Pick<PartDefinition, 'command' | 'cwd' | 'env'>;

/** How the portal's pages are made. */
export interface PagesOptions {
  /** True to serve them by the app's development server, which shows changes at once. */
  hot?: boolean;
}

/** Describes every part of the platform: the portal, and each service of `services`. */
export function describeParts(
  addresses: PlatformAddresses,
  { hot = false }: PagesOptions = {},
): readonly PartDefinition[] {
  const { api, ide, apiPort, idePort } = addresses;
  return [
    ...(hot ? [appServer(addresses.portal)] : [appBuild, frontDoor(addresses)]),
    {
      name: 'backend',
      ...backendProcess,
      command: withSmallHeap(backendProcess.command),
      ports: [apiPort, idePort],
      readyUrl: `${api}/.backstage/health/v1/readiness`,
      restartOnChangeOf: '@slipway/backend',
      // It serves the pages that it finds when it starts.
      ...(!hot && { startsAfter: appBuild.name }),
      addresses: [
        {
          label: 'Portal API',
          url: `${api}/api`,
          signIn: 'tokens dev-service-token, dev-catalog-token',
        },
        {
          label: 'IDE traffic',
          url: ide,
          signIn: 'opened from a workspace',
        },
      ],
      // Asked all the time by the runner and by the plugins among themselves.
      noise: [
        /"GET \/\.backstage\/health\//,
        /"GET \/api\/[^/]+\/\.backstage\/auth\//,
        /"\w+ \/api\/events\/bus\//,
      ],
      // The time is on every line already, and the request in its own text.
      redundant: [
        / type="incomingRequest" .*/,
        /(?<= )\[\d{4}-[^\][]+\] (?=")/,
      ],
    },
    ...addresses.services.map(servicePart),
  ];
}

/** A companion service: Node runs its sources, and `/ready` tells when it can be used. */
function servicePart({
  name,
  title,
  signIn,
  url,
}: PlatformAddresses['services'][number]): PartDefinition {
  return {
    name,
    command: withSmallHeap(['node', 'src/main.ts']),
    cwd: `services/${name}`,
    env: { NODE_ENV: 'development' },
    ports: [portOf(new URL(url))],
    readyUrl: `${url}/ready`,
    restartOnChangeOf: `@slipway/${name}`,
    addresses: [{ label: title, url, signIn }],
    // The time is on every line already.
    redundant: [/^\d{4}-\d{2}-\d{2}T\S+Z /],
  };
}
