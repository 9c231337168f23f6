import type {
  HttpAuthService,
  LoggerService,
} from '@backstage/backend-plugin-api';
import type { Request, RequestHandler } from 'express';
import { onceAnswered } from '../http/onceAnswered';
import { administrativeAct, callerOf } from '../permissions/access';
import type { AuditTrail } from './AuditTrail';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates the middleware that records the changes of admins through a plugin's routes: successful write
 * requests that an admin permission allowed, even if the client disconnects before the response.
 */
export function recordActs(options: {
  trail: AuditTrail;
  httpAuth: HttpAuthService;
  logger: LoggerService;
  pluginId: string;
}): RequestHandler {
  const { trail, httpAuth, logger, pluginId } = options;
  const record = async (
    req: Request,
    { act, target }: NonNullable<ReturnType<typeof administrativeAct>>,
  ) => {
    const credentials = await httpAuth.credentials(req, {
      allow: ['user', 'service'],
    });
    const [path] = req.originalUrl.split('?', 1);
    await trail.record({
      at: Date.now(),
      actor: callerOf(credentials).ref,
      action: act ?? `${req.method} ${pluginId}`,
      target:
        target === undefined
          ? path.replace(`/api/${pluginId}`, '') || null
          : target,
    });
  };
  return (req, res, next) => {
    if (!READS.has(req.method)) {
      onceAnswered(res, () => {
        const allowed = administrativeAct(req);
        if (res.statusCode < 400 && allowed) {
          record(req, allowed).catch(error =>
            logger.error(`An audit log entry was not stored: ${error}`),
          );
        }
      });
    }
    next();
  };
}
