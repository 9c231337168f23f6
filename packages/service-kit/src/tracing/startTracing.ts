import type { FastifyPluginCallback } from 'fastify';
import type { CommonConfig } from '../config/CommonConfig.ts';

/** Traces of one service on their way to a collector. */
export interface Tracing {
  /** To be registered before any route. */
  plugin: FastifyPluginCallback;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/**
 * Starts OpenTelemetry when the configuration asks for it. Nothing of it is loaded
 * otherwise: it costs a second of start-up.
 *
 * @returns undefined when tracing is off.
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
    // Without an endpoint OTEL_EXPORTER_OTLP_… or OpenTelemetry's default decides.
    traceExporter: new OTLPTraceExporter(
      config.endpoint ? { url: config.endpoint } : {},
    ),
  });
  sdk.start();
  const instrumentation = new FastifyOtelInstrumentation();
  return { plugin: instrumentation.plugin(), stop: () => sdk.shutdown() };
}
