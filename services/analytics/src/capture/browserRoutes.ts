import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import {
  type Access,
  NotFoundError,
  PayloadTooLargeError,
  type ServiceApp,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { CaptureAnswer } from './routes.ts';
import type { CaptureGuard } from './CaptureGuard.ts';

const scripts = path.dirname(
  createRequire(import.meta.url).resolve('posthog-js/dist/array.js'),
);

/** The script of the snippet and the scripts that it loads; nothing else is served. */
const SCRIPT_NAMES: ReadonlySet<string> = new Set([
  'array.js',
  'array.full.js',
  'array.no-external.js',
  'array.full.no-external.js',
  'dead-clicks-autocapture.js',
  'exception-autocapture.js',
  'surveys.js',
  'tracing-headers.js',
  'web-vitals.js',
  'web-vitals-with-attribution.js',
  'web-vitals-soft-navs.js',
  'web-vitals-with-attribution-soft-navs.js',
]);

const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Browsers cache scripts for an hour, after which they receive the version installed by then. */
const KEPT = 'public, max-age=3600';

/** The configuration that posthog-js loads at startup: it determines which data posthog-js sends. */
const REMOTE_CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  sessionRecording: false,
  surveys: false,
  heatmaps: false,
  captureDeadClicks: false,
  capturePerformance: false,
  autocapture_opt_out: false,
  autocaptureExceptions: false,
  errorTracking: { autocaptureExceptions: false },
  analytics: { endpoint: '/i/v0/e/' },
  defaultIdentifiedOnly: true,
  elementsChainAsString: true,
  isAuthenticated: false,
  toolbarParams: {},
  siteApps: [],
} as const;

const tags = ['SDKs'];
const KeyPath = Type.Object({ key: Type.String({ maxLength: 200 }) });
const ScriptPath = Type.Object({ script: Type.String({ maxLength: 100 }) });

/** Maximum bytes of a recording that are read before the request is refused. */
const RECORDING_BYTES = 20 * 1024 * 1024;

/**
 * Adds what PostHog's snippet loads from the service (posthog-js and its configuration),
 * and accepts the other requests of pages without storing them.
 */
export async function browserRoutes(
  app: ServiceApp,
  options: { anyone: Access; guard: CaptureGuard; hasFlags: boolean },
): Promise<void> {
  const { anyone, guard, hasFlags } = options;
  const remoteConfig = (key: string) => ({
    token: key,
    ...REMOTE_CONFIG,
    hasFeatureFlags: hasFlags,
  });
  const config = { access: anyone, cors: 'any' } as const;

  app.get(
    '/array/:key/config',
    {
      config: { ...config, faults: ['unauthenticated', 'forbidden'] },
      schema: {
        tags,
        summary: 'Get the configuration for posthog-js',
        params: KeyPath,
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      await guard.identify(request, reply, [key]);
      return remoteConfig(key);
    },
  );
  app.get(
    '/array/:key/config.js',
    {
      config: { ...config, faults: ['unauthenticated', 'forbidden'] },
      schema: {
        tags,
        summary: 'Get the configuration for posthog-js as a script',
        params: KeyPath,
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      await guard.identify(request, reply, [key]);
      reply.type(JAVASCRIPT);
      const name = JSON.stringify(key);
      const value = JSON.stringify({
        config: remoteConfig(key),
        siteApps: [],
      });
      return `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${name}]=${value};`;
    },
  );
  const read = new Map<string, Buffer>();
  for (const url of ['/static/:script', '/static/:version/:script']) {
    app.get(
      url,
      {
        config,
        schema: {
          tags,
          summary: 'Get a script of posthog-js',
          params: url.includes(':version')
            ? Type.Object({
                version: Type.String({ maxLength: 32 }),
                ...ScriptPath.properties,
              })
            : ScriptPath,
        },
      },
      async ({ params }, reply) => {
        const { script } = params as { script: string };
        if (!SCRIPT_NAMES.has(script)) {
          throw new NotFoundError(`Script ${script} not found`);
        }
        const content =
          read.get(script) ?? readFileSync(path.join(scripts, script));
        read.set(script, content);
        reply.type(JAVASCRIPT).header('cache-control', KEPT);
        return content;
      },
    );
  }
  await app.register(async (scope: ServiceApp) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      async (_request: FastifyRequest, payload: Readable) => {
        let received = 0;
        // The connection stays open for the response if the rest is not read.
        for await (const chunk of payload.iterator({
          destroyOnReturn: false,
        })) {
          received += (chunk as Buffer).length;
          if (received > RECORDING_BYTES) {
            throw new PayloadTooLargeError();
          }
        }
      },
    );
    scope.post(
      '/s',
      {
        config,
        bodyLimit: RECORDING_BYTES,
        schema: {
          tags,
          summary: 'Accept and discard a session recording',
          response: { 200: CaptureAnswer },
        },
      },
      async () => ({ status: 1 }),
    );
  });
}
