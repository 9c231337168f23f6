import {
  eventHeaderOf,
  eventOf,
  type Forge,
  FORGES,
  formPayload,
  type HeaderOf,
  isSigned,
  type UnverifiedDelivery,
} from '@slipway/platform-guards';
import {
  InvalidRequestError,
  NotFoundError,
  UnauthenticatedError,
  type Access,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { ForgeIntake } from './ForgeIntake.ts';

const DeliveryAnswer = Type.Object({
  status: Type.String(),
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  ignored: Type.Integer(),
});

const BODY_LIMIT = 5 * 1024 * 1024;
const FORM = 'application/x-www-form-urlencoded';

/** Adds the routes that accept deliveries of forges. */
export function webhookRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    intake: ForgeIntake;
    /** The secret of each forge; deliveries of a forge without one are rejected. */
    secrets: Partial<Record<Forge, string | null>>;
    /** Records that a forge has sent a delivery with a valid signature. */
    onUse(forge: Forge): void;
  },
): void {
  const { access, intake, secrets, onUse } = options;
  app.register(async (routes: ServiceApp) => {
    // Signatures cover the raw bytes.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser<Buffer>(
      ['application/json', FORM],
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    routes.post(
      '/api/v1/webhooks/:forge',
      {
        // Only deliveries with an invalid signature count, because forges send bursts from one
        // address.
        config: {
          access,
          limit: 'refusals',
          faults: ['unauthenticated'],
          body: { untrusted: { unpacked: BODY_LIMIT } },
        },
        schema: {
          tags: ['activity'],
          summary: 'Receive webhooks from GitHub, GitLab, Gitea or Forgejo',
          params: Type.Object({ forge: Type.String({ maxLength: 32 }) }),
          body: Type.Unknown({ description: 'The payload of the forge.' }),
          response: { 200: DeliveryAnswer },
        },
      },
      async ({ params, headers, body }) => {
        const forge = readForge(params.forge);
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const header = (name: string) => textOf(headers[name]);
        const message = isForm(header) ? formPayload(bytes) : bytes;
        verifyDelivery({
          forge,
          secret: secrets[forge],
          delivery: { header, body: bytes, message },
        });
        onUse(forge);
        const receipt = await intake.add(forge, {
          event: readEvent(forge, header),
          payload: parse(message),
        });
        return { status: 'success', ...receipt };
      },
    );
  });
}

function readForge(name: string): Forge {
  const forge = FORGES.find(known => known === name);
  if (!forge) {
    throw new NotFoundError(`No webhook for '${name}'`);
  }
  return forge;
}

function readEvent(forge: Forge, header: HeaderOf): string {
  const event = eventOf(forge, header);
  if (event === undefined) {
    const field = eventHeaderOf(forge);
    throw new InvalidRequestError(`The header ${field} is required`, {
      field,
      constraint: 'required',
    });
  }
  return event;
}

/** Returns the value of a header that was sent once; otherwise undefined. */
function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

function isForm(header: HeaderOf): boolean {
  return header('content-type')?.toLowerCase().startsWith(FORM) ?? false;
}

function parse(message: Buffer | string | undefined): unknown {
  if (message === undefined) {
    throw new InvalidRequestError('The form has no field payload', {
      field: 'payload',
      constraint: 'required',
    });
  }
  try {
    return JSON.parse(message.toString());
  } catch (error) {
    throw new InvalidRequestError('The request body is not valid JSON', {
      field: 'body',
      constraint: 'format',
      cause: error,
    });
  }
}

/**
 * Verifies that a delivery was signed with the secret.
 *
 * @throws UnauthenticatedError if it was not, or no secret is configured.
 */
function verifyDelivery(options: {
  forge: Forge;
  secret: string | null | undefined;
  delivery: UnverifiedDelivery;
}): void {
  const { forge, secret, delivery } = options;
  if (!secret) {
    throw new UnauthenticatedError(`No secret is configured for ${forge}`);
  }
  if (!isSigned({ forge, secrets: [secret], delivery })) {
    throw new UnauthenticatedError(
      'The signature of the delivery is not valid',
    );
  }
}
