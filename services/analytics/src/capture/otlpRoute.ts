import { ServiceError, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { type AnalyticsEvent, BATCH_BYTES } from '../events/AnalyticsEvent.ts';
import { readOtlpEvents } from './otlpEvents.ts';
import { acceptBearer, type SdkRequest } from './sdkRequest.ts';

const Export = Type.Unknown({
  description:
    'ExportLogsServiceRequest in the JSON encoding of OTLP; records need an event name, and user.id, enduser.id or session.id',
});

const ExportAnswer = Type.Object({
  partialSuccess: Type.Object({
    rejectedLogRecords: Type.Optional(
      Type.Integer({ description: 'Records that are not events' }),
    ),
    errorMessage: Type.Optional(Type.String()),
  }),
});

/** Adds the route for OpenTelemetry's log exporters, which stores log records as events. */
export function otlpRoute(
  scope: ServiceApp,
  options: {
    /** The settings of all routes of SDKs. */
    config: object;
    identify: (
      request: FastifyRequest,
      reply: FastifyReply,
      sent: SdkRequest,
    ) => Promise<void>;
    /** Stores the events of a request, and returns for each either the event or why it was dropped. */
    keep: (
      request: FastifyRequest,
      reply: FastifyReply,
    ) => Promise<readonly (AnalyticsEvent | string)[]>;
  },
): void {
  const { config, identify, keep } = options;
  scope.post(
    '/v1/logs',
    {
      config,
      bodyLimit: BATCH_BYTES,
      onRequest: [refuseProtobuf, acceptBearer],
      preValidation: async (request, reply) => {
        const events = readOtlpEvents(request.body);
        await identify(request, reply, { keys: [], events, sentAt: undefined });
      },
      schema: {
        tags: ['SDKs'],
        summary: 'Receive events from OpenTelemetry SDKs, as OTLP log records',
        body: Export,
        response: { 200: ExportAnswer },
      },
    },
    async (request, reply) => {
      const read = await keep(request, reply);
      const reasons = read.filter(each => typeof each === 'string');
      return {
        partialSuccess:
          reasons.length === 0
            ? {}
            : {
                rejectedLogRecords: reasons.length,
                errorMessage: `Records that are not events: ${[...new Set(reasons)].join(', ')}`,
              },
      };
    },
  );
}

/**
 * @throws ServiceError 415 for protobuf, the default encoding of most exporters outside of
 *   browsers.
 */
async function refuseProtobuf({ headers }: FastifyRequest): Promise<void> {
  if (headers['content-type']?.includes('protobuf')) {
    throw new ServiceError(
      'unsupportedMediaType',
      'Protobuf is not supported: set the protocol of the exporter to http/json',
    );
  }
}
