import {
  AuthService,
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import {
  catalogLocationCreatePermission,
  catalogLocationDeletePermission,
} from '@backstage/plugin-catalog-common/alpha';
import { CatalogService } from '@backstage/plugin-catalog-node';
import {
  callerOf,
  createPermissionGuard,
  isDryRun,
  jsonBody,
  methodNotAllowed,
  nameTarget,
  parseInput,
} from '@slipway/portal-kit';
import { Request, RequestHandler, Response, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DescriptorReader } from './DescriptorReader';
import { FileTargets } from './FileTargets';
import { Registrations } from './Registrations';
import { LocationRequest, locationSchema } from './schemas';

/** Adds the contract's fields to Backstage's response, which its own pages read. */
function addContractFields(res: Response, request: LocationRequest): void {
  const json = res.json.bind(res);
  res.json = body =>
    json(
      res.statusCode === 201
        ? {
            ...body,
            locationId: body.location.id,
            type: request.type,
            target: request.target,
            status: 'processing',
          }
        : body,
    );
}

/**
 * Passes a request on to the catalog's route, and waits until the response is sent.
 *
 * @returns the response's status; undefined if the client disconnected first, so that the outcome is
 * unknown.
 */
function handledBy(
  passOn: () => void,
  res: Response,
): Promise<number | undefined> {
  return new Promise(resolve => {
    res.once('close', () =>
      resolve(res.writableFinished ? res.statusCode : undefined),
    );
    passOn();
  });
}

/** Creates middleware that lets this module's own requests to the catalog bypass the router. */
function createOwnCallPass(options: {
  auth: AuthService;
  httpAuth: HttpAuthService;
}): RequestHandler {
  const { auth, httpAuth } = options;
  return async (req, _res, next) => {
    const [own, credentials] = await Promise.all([
      auth.getOwnServiceCredentials(),
      httpAuth.credentials(req),
    ]);
    const isOwn =
      auth.isPrincipal(credentials, 'service') &&
      credentials.principal.subject === own.principal.subject;
    next(isOwn ? 'router' : undefined);
  };
}

/**
 * Creates routes in front of the catalog's own `/locations`. They read and check a registration, let the
 * catalog store it, and add the contract's fields to its response. The same rules and errors apply to a
 * dry run (`?dryRun=true`, used by the import page), and to changing the target of a location, which
 * only admins may do.
 */
export function createLocationRoutes(options: {
  auth: AuthService;
  catalog: CatalogService;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  files: Pick<FileTargets, 'resolve'>;
  reader: Pick<DescriptorReader, 'read'>;
  registrations: Pick<Registrations, 'abandon' | 'accept' | 'assertNew'>;
}): Router {
  const { auth, catalog, files, reader, registrations } = options;
  const guard = createPermissionGuard(options);
  const passOwnCalls = createOwnCallPass(options);
  const router = PromiseRouter();

  const readLocation = async (req: Request): Promise<LocationRequest> => {
    const { type, target } = parseInput(locationSchema, req.body);
    return {
      type,
      target: type === 'file' ? await files.resolve(target) : target,
    };
  };
  const findLocation = async (req: Request) =>
    catalog.getLocationById(req.params.id, {
      credentials: await auth.getOwnServiceCredentials(),
    });

  /** Returns a key that identifies the caller, whose concurrent reads are limited. */
  const callerKey = async (req: Request): Promise<string> =>
    callerOf(await options.httpAuth.credentials(req)).ref;

  router
    .route('/locations')
    .get((_req, _res, next) => next('router'))
    .post(
      passOwnCalls,
      guard(catalogLocationCreatePermission),
      ...jsonBody(),
      async (req, res, next) => {
        const location = await readLocation(req);
        const descriptor = await reader.read(location, await callerKey(req));
        if (isDryRun(req)) {
          // The import page offers to refresh an existing location.
          if (!descriptor.exists) {
            await registrations.assertNew(location, descriptor);
          }
          res.status(201).json(descriptor);
          return;
        }
        const undo = await registrations.accept(location, descriptor);
        addContractFields(res, { ...location, target: req.body.target });
        req.body = location;
        const status = await handledBy(() => next('router'), res);
        // If it is unknown whether the catalog stores the location, leave the claims to expire.
        if (status !== undefined && status !== 201) {
          await undo();
        }
      },
    )
    .all(methodNotAllowed('GET', 'POST'));

  router.all('/locations/by-query', (_req, _res, next) => next('router'));

  router
    .route('/locations/:id')
    .get((_req, _res, next) => next('router'))
    .put(
      passOwnCalls,
      guard(catalogLocationCreatePermission),
      // Changing the target removes the entities of the previous one.
      guard(
        catalogLocationDeletePermission,
        'Change a location of the catalog',
      ),
      ...jsonBody(),
      async (req, res, next) => {
        const location = await readLocation(req);
        const former = await findLocation(req);
        if (!former) {
          // If it does not exist, the catalog's route reports that.
          req.body = location;
          next('router');
          return;
        }
        nameTarget(req, location.target);
        const descriptor = await reader.read(location, await callerKey(req));
        const undo = await registrations.accept(location, descriptor, {
          former,
        });
        req.body = location;
        const status = await handledBy(() => next('router'), res);
        if (status !== undefined && status !== 200) {
          await undo();
        }
      },
    )
    .delete(
      guard(
        catalogLocationDeletePermission,
        'Remove a location of the catalog',
      ),
      async (req, res, next) => {
        const location = await findLocation(req);
        if (location) {
          nameTarget(req, location.target);
        }
        const status = await handledBy(() => next('router'), res);
        if (location && status === 204) {
          await registrations.abandon(location);
        }
      },
    )
    .all(methodNotAllowed('GET', 'PUT', 'DELETE'));

  return router;
}
