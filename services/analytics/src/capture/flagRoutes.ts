import { isJsonObject } from '@slipway/service-kit';
import type { ServiceApp } from '@slipway/service-kit';
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
} from 'fastify';
import { Type } from 'typebox';
import type { FlagSource, FlagSubject, FlagValue } from './FlagSource.ts';
import { SdkQuery } from './sdkRequest.ts';

/**
 * Adds the routes that serve flags to SDKs. Without a source of flags they return none
 * rather than an error, since an SDK would retry endlessly.
 * @param scope - accepts bodies in the forms that SDKs send.
 */
export function flagRoutes(
  scope: ServiceApp,
  options: {
    config: FastifyContextConfig;
    /** Sets the project of a request. */
    preValidation: (
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<void>;
    evaluate: FlagSource['evaluate'] | undefined;
  },
): void {
  const { config, preValidation, evaluate } = options;
  for (const path of ['/flags', '/decide'] as const) {
    scope.post(
      path,
      {
        config,
        preValidation,
        schema: {
          tags: ['SDKs'],
          summary: 'Get the flags of a person',
          querystring: Type.Object({
            v: Type.Optional(
              Type.String({ description: 'Version of the response' }),
            ),
            ...SdkQuery.properties,
          }),
          body: Type.Unknown({
            description:
              'The project key as token or api_key, distinct_id, person_properties',
          }),
        },
      },
      async request => {
        const subject = subjectOf(request.sdk!.events[0]);
        const flags = await evaluate?.(subject).catch((error: unknown) => {
          request.log.warn({ err: error }, 'Flags could not be evaluated');
          return undefined;
        });
        const failed = evaluate !== undefined && flags === undefined;
        return {
          ...(isDetailed(path, request.query.v)
            ? { flags: detailsOf(flags ?? {}) }
            : { featureFlags: flags ?? {}, featureFlagPayloads: {} }),
          errorsWhileComputingFlags: failed,
          requestId: request.id,
        };
      },
    );
  }
}

function isDetailed(path: '/flags' | '/decide', version = '1'): boolean {
  return Number(version) >= (path === '/flags' ? 2 : 4);
}

function subjectOf(body: unknown): FlagSubject {
  const { distinct_id: id, person_properties: properties } = isJsonObject(body)
    ? body
    : {};
  return {
    distinctId: id === undefined || id === null ? undefined : String(id),
    properties: isJsonObject(properties) ? properties : {},
  };
}

function detailsOf(flags: Record<string, FlagValue>): object {
  return Object.fromEntries(
    Object.entries(flags).map(([key, value], index) => [
      key,
      {
        key,
        enabled: value !== false,
        variant: typeof value === 'string' ? value : null,
        reason: {
          code: value === false ? 'no_condition_match' : 'condition_match',
          description: null,
          condition_index: null,
        },
        metadata: { id: index + 1, version: 1, payload: null },
      },
    ]),
  );
}
