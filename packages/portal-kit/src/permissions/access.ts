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

/** The user or service that sent a request, determined only by its credential. */
export interface Caller {
  /** Entity ref of a user, or the subject of a service token. */
  ref: string;
  /** Short name: the user's entity name, or the subject converted to a DNS label. */
  name: string;
}

/** The action of an admin's request, for the audit log. */
interface AdministrativeAct {
  /** The description of its route; undefined if it has none. */
  act: string | undefined;
  /** The changed object; null if the description already names it, undefined if nothing does. */
  target: string | null | undefined;
}

const administrative = new WeakMap<Request, AdministrativeAct>();

/** Describes a request that an admin permission allowed; undefined for all other requests. */
export function administrativeAct(req: Request): AdministrativeAct | undefined {
  return administrative.get(req);
}

/**
 * Sets the target of an admin's request in the audit log. By default, the target is the path parameters
 * of a described route, such as an id, or else the path.
 *
 * @param target - null if the route's description already names it.
 */
export function nameTarget(req: Request, target: string | null): void {
  const described = administrative.get(req);
  if (described) {
    administrative.set(req, { ...described, target });
  }
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
 * Returns the caller that represents a user, for admins who act on that user's behalf.
 *
 * @param ref - the entity ref of the user.
 */
export function callerOfUser(ref: string): Caller {
  return { ref, name: dnsLabel(ref.slice(ref.lastIndexOf('/') + 1)) };
}

/**
 * Converts a name to a DNS label (RFC 1123) of at most 52 characters, which leaves room for a suffix:
 * lower-cases it and replaces invalid characters.
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
 * Returns a factory of middleware that checks a permission before the route parses the request: the
 * contract requires 403 rather than 400 for an invalid request without permission.
 *
 * @example
 * const guard = createPermissionGuard({ httpAuth, permissions });
 * router.post('/things', guard(thingCreatePermission), jsonBody(), handler);
 * router.delete('/things/:id', guard(thingAdminPermission, 'Delete a thing'), handler);
 * @returns a function that takes the permission and, for routes with which admins change something, the
 *   action to record in the audit log.
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
        administrative.set(req, {
          act,
          target: (act && Object.values(req.params).join(' / ')) || undefined,
        });
      }
      next();
    } catch (error) {
      next(error);
    }
  };
}
