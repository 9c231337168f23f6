import { AuthService, HttpAuthService } from '@backstage/backend-plugin-api';
import { RequestHandler } from 'express';

/** Lets through what this module itself asks of the catalog. */
export function createOwnCallPass(options: {
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
