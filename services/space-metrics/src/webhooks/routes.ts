import {
  InvalidRequestError,
  NotFoundError,
  type Access,
  type ServiceApp,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import { FORGES, type Forge } from './ForgeActivity.ts';
import type { ForgeIntake } from './ForgeIntake.ts';
import { verifyDelivery } from './verifyDelivery.ts';

const DeliveryAnswer = Type.Object({
  status: Type.String(),
  accepted: Type.Integer(),
  duplicates: Type.Integer(),
  ignored: Type.Integer(),
});

const BODY_LIMIT = 5 * 1024 * 1024;

/** Takes the deliveries of forges. */
export function webhookRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    intake: ForgeIntake;
    /** By forge; a forge without one is refused. */
    secrets: Partial<Record<Forge, string | null>>;
  },
): void {
  const { access, intake, secrets } = options;
  app.register(async (routes: ServiceApp) => {
    // Signatures are of the bytes that came, not of what they mean.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser<Buffer>(
      'application/json',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, body),
    );
    routes.post(
      '/api/v1/webhooks/:forge',
      {
        // Forges send in bursts, all from one address; the signature is the gate.
        config: { access, limit: false },
        schema: {
          tags: ['activity'],
          summary: 'Receive webhooks of github, gitlab, gitea or forgejo',
          params: Type.Object({ forge: Type.String({ maxLength: 32 }) }),
          response: { 200: DeliveryAnswer },
        },
      },
      async ({ params, headers, body }) => {
        const forge = readForge(params.forge);
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        verifyDelivery({ forge, secret: secrets[forge], headers, body: bytes });
        const receipt = await intake.take(forge, {
          event: readEvent(forge, headers),
          payload: parse(bytes),
        });
        return { status: 'success', ...receipt };
      },
    );
  });
}

const EVENT_HEADERS: Readonly<Record<Forge, readonly string[]>> = {
  github: ['x-github-event'],
  gitlab: ['x-gitlab-event'],
  gitea: ['x-gitea-event', 'x-github-event'],
  forgejo: ['x-forgejo-event', 'x-gitea-event', 'x-github-event'],
};

function readForge(name: string): Forge {
  const forge = FORGES.find(known => known === name);
  if (!forge) {
    throw new NotFoundError(`There is no webhook for '${name}'`);
  }
  return forge;
}

function readEvent(
  forge: Forge,
  headers: Record<string, string | string[] | undefined>,
): string {
  const names = EVENT_HEADERS[forge];
  const event = names.map(name => headers[name]).find(Boolean);
  if (typeof event !== 'string') {
    throw new InvalidRequestError(`The header ${names[0]} is required`, {
      field: names[0],
      constraint: 'required',
    });
  }
  return event;
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new InvalidRequestError('The request body is not valid JSON', {
      field: 'body',
      constraint: 'format',
      cause: error,
    });
  }
}
