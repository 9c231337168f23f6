import { type Forge, type HeaderOf, isSigned } from '@slipway/platform-guards';
import { UnauthenticatedError } from '@slipway/service-kit';

/**
 * Makes sure that a delivery comes from who holds the secret.
 *
 * @throws UnauthenticatedError when it does not, or no secret is configured.
 */
export function verifyDelivery(options: {
  forge: Forge;
  secret: string | null | undefined;
  header: HeaderOf;
  body: Buffer;
}): void {
  const { forge, secret, header, body } = options;
  if (!secret) {
    throw new UnauthenticatedError(`No secret is configured for ${forge}`);
  }
  const delivery = { header, body, message: body };
  if (!isSigned({ forge, secrets: [secret], delivery })) {
    throw new UnauthenticatedError(
      'The signature of the delivery is not valid',
    );
  }
}
