import { AuthenticationError } from '@backstage/errors';
import { Request, RequestHandler } from 'express';
import { Forge } from '../../config';
import { headersOf } from './header';
import { bodyOf, messageOf } from './rawBody';
import { AsyncGuard } from './serviceGuard';
import { isSigned } from './signatures';

/**
 * Whether the forge signed the delivery.
 *
 * @throws AuthenticationError when it did not, naming the setting that is missing.
 */
async function checkSignature(options: {
  req: Request;
  forge: Forge;
  secrets: string[];
}): Promise<void> {
  const { req, forge, secrets } = options;
  const signed = await isSigned({
    forge,
    secrets,
    delivery: {
      header: headersOf(req),
      rawBody: bodyOf(req),
      message: messageOf(req),
    },
  });
  if (signed) {
    return;
  }
  if (secrets.length === 0) {
    throw new AuthenticationError(
      `Webhooks of ${forge} need a secret in deliveryLake.webhooks.${forge}.secrets, or a service token`,
    );
  }
  throw new AuthenticationError(
    signed === undefined
      ? 'The delivery is not signed'
      : 'The signature does not match',
  );
}

/**
 * Lets a delivery in that its forge signed, or that comes with a service token.
 *
 * @param options.guard - checks the caller's own credentials.
 */
export function createForgeGuard(options: {
  forge: Forge;
  secrets: string[];
  guard: AsyncGuard;
}): RequestHandler {
  const { forge, secrets, guard } = options;
  return async (req, res, next) => {
    if (/^bearer /i.test(req.get('authorization') ?? '')) {
      await guard(req, res, next);
      return;
    }
    await checkSignature({ req, forge, secrets });
    next();
  };
}
