import { DefaultAuditorService } from '@backstage/backend-defaults/auditor';
import {
  coreServices,
  createServiceFactory,
} from '@backstage/backend-plugin-api';
import { auditTrailRef } from './AuditTrail';

/**
 * Backstage's `auditor` service, to which Backstage's own plugins report the actions of users. Successful
 * changes are recorded in the portal's audit log in addition to the process log.
 */
export const auditorFactory = createServiceFactory({
  service: coreServices.auditor,
  deps: {
    auth: coreServices.auth,
    httpAuth: coreServices.httpAuth,
    logger: coreServices.logger,
    plugin: coreServices.pluginMetadata,
    trail: auditTrailRef,
  },
  factory({ auth, httpAuth, logger, plugin, trail }) {
    const audit = logger.child({ isAuditEvent: true });
    return DefaultAuditorService.create(
      async event => {
        const { eventId, severityLevel, status, actor, meta = {} } = event;
        audit.debug(`${event.plugin}.${eventId}`, {
          status,
          actor: actor.actorId ?? null,
        });
        // Reads have low severity.
        if (status !== 'succeeded' || severityLevel === 'low') {
          return;
        }
        const { actionType, ...about } = meta;
        await trail.record({
          at: Date.now(),
          actor: actor.actorId ?? `plugin:${event.plugin}`,
          action: [event.plugin, eventId, actionType].filter(Boolean).join(' '),
          target:
            Object.values(about)
              .filter(value => typeof value === 'string')
              .join(' / ') || null,
        });
      },
      { auth, httpAuth, plugin },
    );
  },
});
