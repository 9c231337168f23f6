import {
  AuthService,
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { catalogLocationCreatePermission } from '@backstage/plugin-catalog-common/alpha';
import {
  createPermissionGuard,
  isDryRun,
  jsonBody,
  methodNotAllowed,
  parseInput,
} from '@slipway/portal-kit';
import { Request, RequestHandler, Response, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { DescriptorReader } from './DescriptorReader';
import { DuplicateCheck } from './DuplicateCheck';
import { FileTargets } from './FileTargets';
import { OneAtATime } from './OneAtATime';
import { LocationRequest, locationSchema } from './schemas';

/**
 * What stands in front of the catalog's own `/locations`: a registration is read
 * and checked, then the catalog stores it, and its answer gets the fields of the
 * contract. One that is only tried out (`?dryRun=true`, by the import page) is
 * read by the same rules and told the same reasons.
 */
export function createLocationRoutes(options: {
  auth: AuthService;
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  files: FileTargets;
  reader: DescriptorReader;
  duplicates: DuplicateCheck;
}): Router {
  const { files, reader, duplicates } = options;
  const guard = createPermissionGuard(options);
  const passOwnCalls = createOwnCallPass(options);
  const queue = new OneAtATime();
  const router = PromiseRouter();

  const readLocation = async (req: Request): Promise<LocationRequest> => {
    const { type, target } = parseInput(locationSchema, req.body);
    return {
      type,
      target: type === 'file' ? await files.resolve(target) : target,
    };
  };

  router
    .route('/locations')
    .get((_req, _res, next) => next('router'))
    .post(
      passOwnCalls,
      guard(catalogLocationCreatePermission),
      ...jsonBody(),
      async (req, res, next) => {
        const location = await readLocation(req);
        if (isDryRun(req)) {
          const descriptor = await reader.read(location);
          // The import page offers to refresh a location that exists.
          if (!descriptor.exists) {
            await duplicates.assertNew(location, descriptor);
          }
          res.status(201).json(descriptor);
          return;
        }
        await queue.run(location.target, async () => {
          const descriptor = await reader.read(location);
          await duplicates.assertNew(location, descriptor);
          addContractFields(res, { ...location, target: req.body.target });
          req.body = location;
          await handledBy(() => next('router'), res);
        });
      },
    )
    .all(methodNotAllowed('GET', 'POST'));

  router.put(
    '/locations/:id',
    passOwnCalls,
    guard(catalogLocationCreatePermission),
    ...jsonBody(),
    async (req, _res, next) => {
      req.body = await readLocation(req);
      next('router');
    },
  );

  return router;
}

/** Lets through what this module itself asks of the catalog. */
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

/** Adds to Backstage's answer, which its own pages read, what the contract has. */
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

/** Passes a request on, and waits until it is answered. */
function handledBy(passOn: () => void, res: Response): Promise<void> {
  return new Promise(resolve => {
    res.once('close', resolve);
    passOn();
  });
}
