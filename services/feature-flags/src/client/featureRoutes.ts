import type { ServiceApp } from '@slipway/service-kit';
import { type FlagAccess, tokenOf } from '../access.ts';
import type { FeatureAnswers } from './FeatureAnswers.ts';
import { matchesEtag } from './matchesEtag.ts';
import { ClientFeatures, FeatureQuery, NotModified } from './schemas.ts';

const GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i;

/** `GET /api/client/features`: what SDKs ask again and again. */
export function featureRoutes(
  app: ServiceApp,
  { answers, access }: { answers: FeatureAnswers; access: FlagAccess },
): void {
  app.get(
    '/api/client/features',
    {
      config: { access: access.client },
      schema: {
        tags: ['client'],
        summary:
          'The flags of the token, or 304 where If-None-Match knows them',
        querystring: FeatureQuery,
        response: {
          200: ClientFeatures,
          304: NotModified,
        },
      },
    },
    async (request, reply) => {
      const { headers, caller, query } = request;
      const answer = answers.of(tokenOf(caller), query);
      reply.headers({ etag: answer.etag, vary: 'Origin, Accept-Encoding' });
      if (matchesEtag(headers['if-none-match'], answer.etag)) {
        return reply.code(304).send(undefined);
      }
      reply.type('application/json; charset=utf-8');
      const accepted = headers['accept-encoding'];
      const packed =
        typeof accepted === 'string' && GZIP.test(accepted)
          ? await answer.packed()
          : undefined;
      if (packed) {
        reply.header('content-encoding', 'gzip');
      }
      // Bytes are sent as they are; the schema above describes them.
      return reply.send((packed ?? answer.body) as never);
    },
  );
}
