import { Request } from 'express';

/** One path of the contract. */
interface ContractPath {
  /** Matched as Express matches: any case, a slash at the end or none. */
  path: RegExp;
  /** Methods of the same path that are not the contract's. */
  except?: readonly string[];
  /** Tells requests that belong to another interface in spite of path and method. */
  unless?: (req: Request) => boolean;
}

/**
 * The routes of group A by plugin. Their answers follow the contract, and they count
 * against its limits; beside them the preview of a devfile does, for which the portal
 * reads and parses what others wrote as it does for a workspace.
 */
const CONTRACT: Readonly<Record<string, readonly ContractPath[]>> = {
  'ide-launcher': [
    { path: /^\/workspaces\/?$/i },
    { path: /^\/workspaces\/[^/]+\/?$/i, except: ['GET', 'HEAD'] },
    { path: /^\/devfile\/preview\/?$/i },
  ],
  'delivery-lake': [
    { path: /^\/dora-metrics\/?$/i },
    { path: /^\/deployment-history\/?$/i },
  ],
  catalog: [
    {
      path: /^\/locations\/?$/i,
      except: ['GET', 'HEAD'],
      unless: isDryRun,
    },
    { path: /^\/entities\/?$/i },
  ],
};

const TRUE = /^(?:y|yes|true|1|on)$/i;

/** Tells a registration that is only tried out, as Backstage's import page does it (`?dryRun=true`). */
export function isDryRun(req: Request): boolean {
  const { dryRun } = req.query;
  return typeof dryRun === 'string' && TRUE.test(dryRun.trim());
}

/** Tells whether any route of the contract is a plugin's. */
export function isContractPlugin(pluginId: string): boolean {
  return pluginId in CONTRACT;
}

/** Makes the test for requests to the contract's routes of a plugin; for requests below the plugin's own path. */
export function createContractRouteTest(
  pluginId: string,
): (req: Request) => boolean {
  const paths = CONTRACT[pluginId] ?? [];
  return req =>
    paths.some(
      ({ path, except, unless }) =>
        path.test(req.path) && !except?.includes(req.method) && !unless?.(req),
    );
}

/** Paths of POST requests that senders sign instead of showing a credential, by plugin. */
const SIGNED: Readonly<Record<string, RegExp>> = {
  'delivery-lake': /^\/webhooks\/(?:github|gitlab|gitea|forgejo)\/?$/i,
};

/** Tells whether a request to a plugin, below the plugin's own path, is one that is signed. */
export function createSignedRouteTest(
  pluginId: string,
): (req: Request) => boolean {
  const path = SIGNED[pluginId];
  return req => req.method === 'POST' && (path?.test(req.path) ?? false);
}
