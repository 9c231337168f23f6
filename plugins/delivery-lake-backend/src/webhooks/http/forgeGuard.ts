import { AuthenticationError } from '@backstage/errors';
import { Forge, isSigned } from '@slipway/forge-webhooks';
import { RequestHandler } from 'express';
import { headersOf } from './header';
import { bodyOf, messageOf } from './rawBody';

/** Why a delivery is not believed; names the setting where it is that which is missing. */
function complaint(options: {
  forge: Forge;
  secrets: string[];
  signed: boolean | undefined;
}): string {
  const { forge, secrets, signed } = options;
  if (secrets.length === 0) {
    return `Webhooks of ${forge} need a secret in deliveryLake.webhooks.${forge}.secrets, or a service token`;
  }
  return signed === undefined
    ? 'The delivery is not signed'
    : 'The signature does not match';
}

/**
 * Lets a delivery in that its forge signed, or that comes with a service token.
 *
 * @param options.guard - checks the caller's own credentials.
 * @returns a middleware that throws AuthenticationError for all others.
 */
export function createForgeGuard(options: {
  forge: Forge;
  secrets: string[];
  guard: RequestHandler;
}): RequestHandler {
  const { forge, secrets, guard } = options;
  return (req, res, next) => {
    const signed = isSigned({
      forge,
      secrets,
      delivery: {
        header: headersOf(req),
        body: bodyOf(req),
        message: messageOf(req),
      },
    });
    if (signed) {
      next();
      return;
    }
    // After the signature: a hook may carry a token that is meant for a proxy.
    if (/^bearer /i.test(req.get('authorization') ?? '')) {
      guard(req, res, next);
      return;
    }
    throw new AuthenticationError(complaint({ forge, secrets, signed }));
  };
}
