import type { FastifyPluginCallback } from 'fastify';
import type { CommonConfig } from '../config/CommonConfig.ts';

/** Sends the traces of a service to a collector. */
export interface Tracing {
  /** Register it before any route. */
  plugin: FastifyPluginCallback;
  /** Sends the remaining traces. */
  stop(): Promise<void>;
}

/**
 * Starts OpenTelemetry if it is configured. Otherwise nothing is loaded, because loading it takes a
 * second at startup.
 *
 * @returns undefined if tracing is off.
 */
export async function startTracing(options: {
  name: string;
  config: CommonConfig['tracing'];
}): Promise<Tracing | undefined> {
  const { name, config } = options;
  if (!config.enabled) {
    return undefined;
  }
  const [{ NodeSDK }, { OTLPTraceExporter }, { FastifyOtelInstrumentation }] =
    await Promise.all([
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@fastify/otel'),
    ]);
  const sdk = new NodeSDK({
    serviceName: name,
    // Without an endpoint, OTEL_EXPORTER_OTLP_… or OpenTelemetry's default applies.
    traceExporter: new OTLPTraceExporter(
      config.endpoint ? { url: config.endpoint } : {},
    ),
  });
  sdk.start();
  const instrumentation = new FastifyOtelInstrumentation();
  return { plugin: instrumentation.plugin(), stop: () => sdk.shutdown() };
}
