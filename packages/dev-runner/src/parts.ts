import { type PlatformAddresses, portOf } from './readAddresses.ts';

/** A row of the table that is printed when the platform is ready. */
export interface AddressRow {
  /** Label of the address, e.g. `Portal`. */
  label: string;
  /** Full URL. */
  url: string;
  /** Instructions to sign in, in a few words. */
  signIn: string;
}

/** A process of the platform that `yarn dev` runs. */
export interface PartDefinition {
  /** Short name, used as the prefix of its log lines and as the name of its run record. */
  name: string;
  /** Program and arguments; `node` means the Node that runs the runner. */
  command: readonly [string, ...string[]];
  /** Working directory, relative to the repository's root. */
  cwd: string;
  /** TCP ports on the loopback interface that must be free before the start. */
  ports: readonly number[];
  /**
   * Responds with 2xx once the part is ready. Omitted for a part that does its work and exits; it
   * is complete when it exits with code 0.
   */
  readyUrl?: string;
  /**
   * A part without `readyUrl` that has to exit, successfully or not, before this one starts. If it
   * succeeds again later, this part is restarted.
   */
  startsAfter?: string;
  /**
   * `part` is a part without `readyUrl` that has to succeed before this one counts as ready. If it
   * fails, the runner prints `otherwise`, which says what is missing and what to do.
   */
  needs?: { part: string; otherwise: string };
  /** The rows that the part adds to the table of addresses. */
  addresses: readonly AddressRow[];
  /** Added to the runner's own environment. */
  env?: Readonly<Record<string, string>>;
  /**
   * A workspace package. When its sources, or those of the workspace packages that it depends on,
   * change, the part is restarted. Omitted for a part that reloads on its own.
   */
  restartOnChangeOf?: string;
  /**
   * Like `restartOnChangeOf`, but the runner only reports the first change, because applying it takes
   * a manual restart.
   */
  notifyOnChangeOf?: string;
  /** Lines of the part's output that are of no use to a developer. */
  noise?: readonly RegExp[];
  /** Text that is removed from the remaining lines. */
  redundant?: readonly RegExp[];
}

type Command = readonly [string, ...string[]];

/**
 * Returns a Node command that limits the heap for short-lived objects. V8 does not shrink this part of
 * the heap again; without a limit, it makes up a quarter of an idle process. The limit costs
 * throughput, which a development machine with few callers can spare.
 */
export function withSmallHeap([node, ...args]: Command): Command {
  return [node, '--max-semi-space-size=2', ...args];
}

/** Builds the portal's pages, which the backend serves, if their sources have changed. */
const appBuild = {
  name: 'app',
  command: ['node', 'src/portal/buildApp.ts'],
  cwd: 'packages/dev-runner',
  ports: [],
  notifyOnChangeOf: '@slipway/app',
  addresses: [],
} satisfies PartDefinition;

/** The backend's route that reports whether all of its plugins have started. */
const READINESS = '/.backstage/health/v1/readiness';

/** The portal's public address, in front of the backend. */
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
    // The backend logs an error with its stack for each page that is requested too early.
    readyUrl: `${portal}${READINESS}`,
    needs: {
      part: appBuild.name,
      otherwise:
        'It shows the pages of the last build, if there is one. Correct the error; the build is tried again until it succeeds.',
    },
    addresses: [portalRow(portal)],
  };
}

/** Describes the app's development server: hot reload, for ten times the memory. */
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

/** The process of the portal's backend. */
export const backendProcess = {
  // The command that `backstage-cli package start` runs, called directly: the CLI process would
  // keep running silently if the backend crashed.
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

/** Options of {@link describeParts}. */
export interface PartsOptions {
  /** True to serve pages with the app's development server, which shows changes immediately. */
  hot?: boolean;
  /** False for default heap sizes, which need more memory and less processor time. Default: true. */
  smallHeaps?: boolean;
}

/** Describes all parts of the platform: the portal, and each service in `services`. */
export function describeParts(
  addresses: PlatformAddresses,
  { hot = false, smallHeaps = true }: PartsOptions = {},
): readonly PartDefinition[] {
  const { api, ide, apiPort, idePort } = addresses;
  const sized = smallHeaps ? withSmallHeap : (command: Command) => command;
  return [
    ...(hot ? [appServer(addresses.portal)] : [appBuild, frontDoor(addresses)]),
    {
      name: 'backend',
      ...backendProcess,
      command: sized(backendProcess.command),
      ports: [apiPort, idePort],
      readyUrl: `${api}${READINESS}`,
      restartOnChangeOf: '@slipway/backend',
      // The backend only serves pages that exist when it starts.
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
      noise: [
        // Successful requests: a page sends dozens of them.
        / info "[A-Z]+ \S+ HTTP\/1\.1" [23]\d\d /,
        // Requested constantly by the runner and between plugins.
        /"GET \/\.backstage\/health\//,
        /"GET \/api\/[^/]+\/\.backstage\/auth\//,
        /"\w+ \/api\/events\/bus\//,
      ],
      // Every line already has a time, and request lines contain the request as text.
      redundant: [
        / type="incomingRequest" .*/,
        /(?<= )\[\d{4}-[^\][]{1,40}\] (?=")/,
      ],
    },
    ...addresses.services
      .map(servicePart)
      .map(part => ({ ...part, command: sized(part.command) })),
  ];
}

/** Describes a companion service: Node runs its sources, and `/ready` reports when it is ready. */
function servicePart({
  name,
  title,
  signIn,
  url,
}: PlatformAddresses['services'][number]): PartDefinition {
  return {
    name,
    command: ['node', 'src/main.ts'],
    cwd: `services/${name}`,
    env: { NODE_ENV: 'development' },
    ports: [portOf(new URL(url))],
    readyUrl: `${url}/ready`,
    restartOnChangeOf: `@slipway/${name}`,
    addresses: [{ label: title, url, signIn }],
    // Requests that succeeded.
    noise: [/ info request reqId=\S+ method=\w+ route=\S+ status=[23]\d\d /],
    // Every line already has a time.
    redundant: [/^\d{4}-\d{2}-\d{2}T\S+Z /],
  };
}
