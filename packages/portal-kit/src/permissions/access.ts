import {
  BackstageCredentials,
  BackstageServicePrincipal,
  BackstageUserPrincipal,
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import {
  AuthorizeResult,
  BasicPermission,
} from '@backstage/plugin-permission-common';
import type { Request, RequestHandler } from 'express';
import { isForAdmins } from './administration';

/** The owner for whom a request acts, determined only by its credential. */
export interface Caller {
  /** Entity ref of a user, or the subject of a service token. */
  ref: string;
  /** Short name: the user's entity name, or the subject converted to a DNS label. */
  name: string;
}

/**
 * Requests that an admin permission allowed, with a description of what they do if the route has
 * one.
 */
const administrative = new WeakMap<Request, { act: string | undefined }>();

/**
 * Describes what a request that an admin permission allowed does, if its route has a description;
 * undefined for all other requests.
 */
export function administrativeAct(
  req: Request,
): { act: string | undefined } | undefined {
  return administrative.get(req);
}

function isUser(principal: unknown): principal is BackstageUserPrincipal {
  return (principal as { type?: string }).type === 'user';
}

function isService(principal: unknown): principal is BackstageServicePrincipal {
  return (principal as { type?: string }).type === 'service';
}

/**
 * Determines the caller.
 *
 * @throws NotAllowedError for credentials that are neither a user's nor a service's.
 */
export function callerOf(credentials: BackstageCredentials): Caller {
  const { principal } = credentials;
  if (isUser(principal)) {
    return callerOfUser(principal.userEntityRef);
  }
  if (isService(principal)) {
    return { ref: principal.subject, name: dnsLabel(principal.subject) };
  }
  throw new NotAllowedError('A user or service credential is required');
}

/**
 * Returns a user as the caller that they are when they are signed in, for admins who act for them.
 *
 * @param ref - the entity ref of the user.
 */
export function callerOfUser(ref: string): Caller {
  return { ref, name: dnsLabel(ref.slice(ref.lastIndexOf('/') + 1)) };
}

/**
 * Lower-cases a name and replaces characters that a DNS label (RFC 1123) does not allow; at most 52
 * characters, which leaves room for a suffix.
 */
function dnsLabel(name: string): string {
  const label = name
    .toLocaleLowerCase('en-US')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 52)
    .replace(/-$/, '');
  return label || 'user';
}

/**
 * Creates a middleware that checks a permission before the route does anything else: the contract
 * requires 403 rather than 400 for a bad request without permission, so the check must come before
 * parsing.
 *
 * @example
 * const guard = createPermissionGuard({ httpAuth, permissions });
 * router.post('/things', guard(thingCreatePermission), jsonBody(), handler);
 * router.delete('/things/:id', guard(thingAdminPermission, 'Delete a thing'), handler);
 * @returns takes the permission and, for routes that admins change something by, what they do in the
 *   words of the audit log.
 */
export function createPermissionGuard(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
}): (permission: BasicPermission, act?: string) => RequestHandler {
  const { httpAuth, permissions } = options;
  return (permission, act) => async (req, _res, next) => {
    try {
      const credentials = await httpAuth.credentials(req, {
        allow: ['user', 'service'],
      });
      const [decision] = await permissions.authorize([{ permission }], {
        credentials,
      });
      if (decision.result !== AuthorizeResult.ALLOW) {
        throw new NotAllowedError(`Permission ${permission.name} is required`);
      }
      if (isForAdmins(permission.name)) {
        administrative.set(req, { act });
      }
      next();
    } catch (error) {
      next(error);
    }
  };
}
