import { isoOf } from '@slipway/entity-contract';
import { actorOf, instantOf, type ServiceApp } from '@slipway/service-kit';
import type { FlagAccess } from './access.ts';
import type { ApiToken } from '../model/ApiToken.ts';
import {
  NewTokenResponse,
  Rotation,
  TokenResponse,
  TokenCreation,
  TokenList,
  TokenPath,
} from './schemas.ts';
import type { TokenAdmin } from './TokenAdmin.ts';

const tags = ['tokens'];

/** Adds `/api/admin/api-tokens`, for admins only. */
export function tokenRoutes(
  app: ServiceApp,
  { tokens, access }: { tokens: TokenAdmin; access: FlagAccess },
): void {
  app.get(
    '/api/admin/api-tokens',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'List tokens, without their secrets',
        response: { 200: TokenList },
      },
    },
    async () => ({ tokens: (await tokens.list()).map(present) }),
  );

  app.post(
    '/api/admin/api-tokens',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'Create a token; its secret is shown once',
        body: TokenCreation,
        response: { 201: NewTokenResponse },
      },
    },
    async ({ body, caller }, reply) => {
      const { tokenName: name, type, projects, environment, expiresAt } = body;
      const { token, secret } = await tokens.create(
        {
          name,
          type: type === 'backend' ? 'client' : type,
          projects,
          environment,
          expiresAt: expiresAt === undefined ? undefined : instantOf(expiresAt),
        },
        actorOf(caller),
      );
      reply.code(201);
      return { ...present(token), secret };
    },
  );

  app.post(
    '/api/admin/api-tokens/:id/rotate',
    {
      config: { access: access.write, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Give a token a new secret, which is shown once',
        params: TokenPath,
        body: Rotation,
        response: { 201: NewTokenResponse },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { token, secret } = await tokens.rotate(params.id, {
        by: actorOf(caller),
        overlapMs: body.overlapMinutes * 60_000,
      });
      reply.code(201);
      return { ...present(token), secret };
    },
  );

  app.delete(
    '/api/admin/api-tokens/:id',
    {
      config: { access: access.write },
      schema: {
        tags,
        summary: 'Revoke a token',
        params: TokenPath,
        response: { 200: TokenResponse },
      },
    },
    async ({ params, caller }) =>
      present(await tokens.remove(params.id, actorOf(caller))),
  );
}

function present(token: ApiToken) {
  const { id, name, type, projects, environment, createdBy } = token;
  const { createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    tokenName: name,
    type,
    projects: [...projects],
    environment,
    createdBy,
    createdAt: createdAt === 0 ? null : isoOf(createdAt),
    ...(expiresAt !== null && { expiresAt: isoOf(expiresAt) }),
    ...(lastUsedAt !== null && {
      lastUsedAt: isoOf(lastUsedAt),
    }),
  };
}
