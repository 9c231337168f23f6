import type { Access, ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import { TOKEN_TYPES } from '../model/ApiToken.ts';
import type { TokenRegistry } from './TokenRegistry.ts';

const Tokens = Type.Object({
  tokens: Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 100 }),
});

const ValidTokens = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String(),
      type: Type.String({ enum: [...TOKEN_TYPES] }),
      projects: Type.Array(Type.String()),
      environment: Type.String(),
    }),
  ),
});

/**
 * Adds `POST /edge/validate`, with which Unleash Edge checks its tokens.
 * It needs no credential, and is rate-limited by address.
 */
export function edgeRoutes(
  app: ServiceApp,
  options: { tokens: TokenRegistry; access: Access; now: () => number },
): void {
  const { tokens, access, now } = options;
  app.post(
    '/edge/validate',
    {
      config: { access },
      schema: {
        tags: ['edge'],
        summary: 'Check which tokens are valid, and what they can access',
        body: Tokens,
        response: { 200: ValidTokens },
      },
    },
    async ({ body }) => {
      const found = await tokens.findAll(body.tokens);
      return {
        tokens: [...found]
          .filter(
            ([, { expiresAt }]) => expiresAt === null || expiresAt > now(),
          )
          .map(([token, { type, projects, environment }]) => ({
            token,
            type,
            projects: [...projects],
            environment,
          })),
      };
    },
  );
}
