import { SENDERS } from '@slipway/platform-guards';
import { Request } from 'express';

/** One path of the contract. */
interface ContractPath {
  /** Matched like in Express: case-insensitively, with or without a trailing slash. */
  path: RegExp;
  /** Methods of the same path that are not part of the contract. */
  except?: readonly string[];
  /** Recognizes requests that belong to another interface despite their path and method. */
  unless?: (req: Request) => boolean;
}

/**
 * The routes of group A by plugin. Their responses follow the contract, and they are rate limited. They
 * include the preview and update of a devfile, which make the portal read and parse untrusted files, as
 * creating a workspace does.
 */
const CONTRACT: Readonly<Record<string, readonly ContractPath[]>> = {
  'ide-launcher': [
    { path: /^\/workspaces\/?$/i },
    { path: /^\/workspaces\/[^/]+\/?$/i, except: ['GET', 'HEAD'] },
    { path: /^\/workspaces\/[^/]+\/devfile\/?$/i },
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
    // Not in the contract, but clients that send entities expect its error format.
    { path: /^\/collections\/[^/]+\/?$/i },
  ],
};

const TRUE = /^(?:y|yes|true|1|on)$/i;

/**
 * Checks whether a registration is only a dry run (`?dryRun=true`), as sent by Backstage's import
 * page.
 */
export function isDryRun(req: Request): boolean {
  const { dryRun } = req.query;
  return typeof dryRun === 'string' && TRUE.test(dryRun.trim());
}

/** Checks whether a plugin has any routes of the contract. */
export function isContractPlugin(pluginId: string): boolean {
  return pluginId in CONTRACT;
}

/**
 * Returns a function that checks whether a request is for one of a plugin's contract routes; request
 * paths are relative to the plugin's.
 */
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

/**
 * Paths of POST requests that are authenticated by a signature instead of a credential, by plugin.
 */
const SIGNED: Readonly<Record<string, RegExp>> = {
  'delivery-lake': new RegExp(
    `^/webhooks/(?:${SENDERS.join('|')}|connections/[^/]+)/?$`,
    'i',
  ),
};

/** Returns a function that checks whether a request is signed; its path is relative to the plugin's. */
export function createSignedRouteTest(
  pluginId: string,
): (req: Request) => boolean {
  const path = SIGNED[pluginId];
  return req => req.method === 'POST' && (path?.test(req.path) ?? false);
}
