import {
  HttpAuthService,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import { InputError, NotAllowedError } from '@backstage/errors';
import {
  deliveryIngestPermission,
  IngestItemResult,
  IngestResponse,
} from '@slipway/plugin-delivery-lake-common';
import {
  callerOf,
  createPermissionGuard,
  jsonBody,
  methodNotAllowed,
} from '@slipway/portal-kit';
import { Request, RequestHandler, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import { RecordKind } from '../events/LakeEvent';
import { parseItems } from '../events/parseItems';
import { IngestService } from './IngestService';

const READ_AND_WRITE = ['GET', 'HEAD', 'POST'];

/** The ingest paths with their record kinds and allowed methods. */
const ROUTES: { path: string; kind: RecordKind; methods: string[] }[] = [
  { path: '/deployments', kind: 'deployment', methods: READ_AND_WRITE },
  { path: '/incidents', kind: 'incident', methods: READ_AND_WRITE },
  { path: '/changes', kind: 'change', methods: ['POST'] },
];

/** Prefixes an error with the index of its item: `[3].finishedAt is before startedAt`. */
function inBatch(result: IngestItemResult): IngestItemResult {
  const { error, field, index } = result;
  return error === undefined
    ? result
    : { ...result, error: `[${index}]${field ? '.' : ': '}${error}` };
}

/**
 * Allows only service tokens with the ingest permission. A portal session must not be able
 * to change the metrics.
 */
export function createIngestGuard(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
}): RequestHandler[] {
  const { httpAuth } = options;
  return [
    createPermissionGuard(options)(deliveryIngestPermission),
    async (req, _res, next) => {
      try {
        const credentials = await httpAuth.credentials(req, {
          allow: ['user', 'service'],
        });
        if ((credentials.principal as { type?: string }).type !== 'service') {
          throw new NotAllowedError('Sending events needs a service token');
        }
        next();
      } catch (error) {
        next(error);
      }
    },
  ];
}

/**
 * Creates the routes for the lake's JSON format: `POST /deployments`, `/changes` and
 * `/incidents`, with an item or a batch of up to a thousand. Mount it before the read
 * routes: it passes GET on to them, and responds with 405 to unsupported methods.
 */
export function createIngestRoutes(options: {
  httpAuth: HttpAuthService;
  permissions: PermissionsService;
  service: IngestService;
}): Router {
  const { httpAuth, service } = options;
  const guard = createIngestGuard(options);
  const router = PromiseRouter();

  const ingest = async (kind: RecordKind, req: Request) => {
    const credentials = await httpAuth.credentials(req, { allow: ['service'] });
    const defaults = { source: callerOf(credentials).ref, now: Date.now() };
    return service.ingest(parseItems(kind, req.body, defaults));
  };
  const present = (body: unknown, response: IngestResponse): IngestResponse => {
    if (Array.isArray(body)) {
      return { ...response, results: response.results.map(inBatch) };
    }
    const [{ error }] = response.results;
    if (error !== undefined) {
      throw new InputError(error);
    }
    return response;
  };

  for (const { path, kind, methods } of ROUTES) {
    const refuse = methodNotAllowed(...methods);
    router
      .route(path)
      .post(...guard, ...jsonBody(), async (req, res) => {
        res.json(present(req.body, await ingest(kind, req)));
      })
      .all((req, res, next) =>
        methods.includes(req.method) ? next() : refuse(req, res, next),
      );
  }
  return router;
}
