import { InputError, NotAllowedError } from '@backstage/errors';
import {
  deliveryIncidentsPermission,
  deliveryReadPermission,
} from '@slipway/plugin-delivery-lake-common';
import { createPermissionGuard, methodNotAllowed } from '@slipway/portal-kit';
import { Request, Router } from 'express';
import PromiseRouter from 'express-promise-router';
import type { HistoryService } from '../history/HistoryService';
import { type AccessServices, ownsOrMay } from '../history/ownership';
import type { LakeIncident } from '../history/records';
import type { IngestService } from '../ingest/IngestService';

/**
 * Creates the routes of single incidents: `GET /incidents/{id}`, and `PUT` and `DELETE` of its
 * resolution, with which people resolve incidents that no tool reports as over. A resolution is
 * stored as an event like those of the tool, so the later one wins.
 */
export function createIncidentRoutes(
  options: AccessServices & {
    history: HistoryService;
    ingest: IngestService;
    now?: () => number;
  },
): Router {
  const { history, httpAuth, ingest, now = Date.now } = options;
  const guard = createPermissionGuard(options)(deliveryReadPermission);
  const router = PromiseRouter();

  /** Finds an incident that the caller may resolve. @throws NotFoundError, NotAllowedError */
  const findOwn = async (req: Request): Promise<LakeIncident> => {
    const incident = await history.findIncident(req.params.id);
    const team = incident.service?.team ?? null;
    const permission = deliveryIncidentsPermission;
    const credentials = await httpAuth.credentials(req);
    if (!(await ownsOrMay(credentials, { ...options, team, permission }))) {
      throw new NotAllowedError(
        'Only owners of the service and admins can resolve its incidents',
      );
    }
    return incident;
  };
  const tell = async (
    { source, externalId }: LakeIncident,
    resolvedAt: number | null,
  ) => {
    const { results } = await ingest.ingest([
      {
        event: {
          kind: 'incident',
          source,
          externalId,
          occurredAt: now(),
          resolvedAt,
        },
      },
    ]);
    const [{ error }] = results;
    if (error !== undefined) {
      throw new InputError(error);
    }
  };

  router
    .route('/incidents/:id')
    .get(guard, async (req, res) => {
      res.json(await history.incident(req.params.id));
    })
    .all(methodNotAllowed('GET'));

  router
    .route('/incidents/:id/resolution')
    .put(guard, async (req, res) => {
      const incident = await findOwn(req);
      if (incident.resolvedAt === null) {
        await tell(incident, now());
      }
      res.json(await history.incident(incident.id));
    })
    .delete(guard, async (req, res) => {
      const incident = await findOwn(req);
      if (incident.resolvedAt !== null) {
        await tell(incident, null);
      }
      res.json(await history.incident(incident.id));
    })
    .all(methodNotAllowed('PUT', 'DELETE'));

  return router;
}
