import { createHash } from 'node:crypto';
import { acceptJson, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from 'unleash-client';
import { Type } from 'typebox';
import { type FlagAccess, tokenOf } from '../tokens/access.ts';
import type { ReportDesk } from '../client/reportRoutes.ts';
import { readName, type Loose } from '../client/reports.ts';
import { NotModified, Registration, UsageBody } from '../client/schemas.ts';
import { contextOf, contextOfQuery } from './context.ts';
import type { Evaluator } from './Evaluator.ts';

const Toggles = Type.Object({
  toggles: Type.Array(
    Type.Object({
      name: Type.String(),
      enabled: Type.Boolean(),
      variant: Type.Object({
        name: Type.String(),
        enabled: Type.Boolean(),
        payload: Type.Optional(Type.Unknown()),
        feature_enabled: Type.Boolean(),
        featureEnabled: Type.Boolean(),
      }),
      impressionData: Type.Boolean(),
    }),
    { description: 'The flags that are on; all others are off.' },
  ),
});

const ContextQuery = Type.Object(
  {
    userId: Type.Optional(Type.String({ maxLength: 1_000 })),
    sessionId: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  {
    additionalProperties: true,
    description:
      'Fields of the context, and properties as properties[name]; unknown fields are properties.',
  },
);

const ContextBody = Type.Object({
  context: Type.Optional(Type.Record(Type.String(), Type.Unsafe<Loose>({}))),
});

const Ok = Type.String({ description: 'OK' });

const tags = ['frontend'];

/**
 * Adds `/api/frontend`, which evaluates flags for SDKs in browsers and apps: they get
 * the flags that are on for their context, but not the rules.
 */
export async function frontendRoutes(
  app: ServiceApp,
  options: {
    evaluator: Evaluator;
    desk: ReportDesk;
    access: FlagAccess;
  },
): Promise<void> {
  const { evaluator, desk, access } = options;
  const config = { access: access.frontend, cors: 'any' } as const;
  const write = { ...config, faults: ['unsupportedMediaType'] } as const;

  const evaluate = async (
    request: FastifyRequest,
    reply: FastifyReply,
    context: Context,
  ) => {
    const scope = tokenOf(request.caller);
    const known = readRevision(request.headers['if-none-match']);
    if (known > evaluator.revisionOf(scope)) {
      // The page has a newer state from another replica, and must not be sent an older one.
      await evaluator.refresh();
    }
    const toggles = evaluator
      .evaluate(scope, context)
      .filter(({ enabled }) => enabled)
      .map(({ name, variant, impressionData }) => ({
        name,
        enabled: true,
        variant: { ...variant, feature_enabled: true, featureEnabled: true },
        impressionData,
      }));
    const digest = createHash('sha256')
      .update(JSON.stringify(toggles))
      .digest('hex');
    const content = digest.slice(0, 24);
    reply.headers({
      etag: `W/"${content}:${evaluator.revisionOf(scope)}"`,
      'cache-control': 'no-cache',
    });
    return { toggles, content };
  };
  const surroundingsOf = ({ caller, headers, ip }: FastifyRequest) => ({
    environment: tokenOf(caller).environment,
    appName: readName(headers['unleash-appname'] as Loose),
    remoteAddress: ip,
  });

  await app.register(async (scope: ServiceApp) => {
    acceptJson(scope, { faults: 'repair', otherMediaTypes: 415 });

    scope.get(
      '/api/frontend',
      {
        config,
        schema: {
          tags,
          summary: 'Get the flags that are on for the context in the query',
          querystring: ContextQuery,
          response: { 200: Toggles, 304: NotModified },
        },
      },
      async (request, reply) => {
        const members = request.query as Record<string, Loose | Loose[]>;
        const context = contextOfQuery(members, surroundingsOf(request));
        const { toggles, content } = await evaluate(request, reply, context);
        const sent = request.headers['if-none-match'];
        return isContent(sent, content)
          ? reply.code(304).send(undefined)
          : { toggles };
      },
    );

    scope.post(
      '/api/frontend',
      {
        config: write,
        schema: {
          tags,
          summary: 'Get the flags that are on for the context in the body',
          body: ContextBody,
          response: { 200: Toggles },
        },
      },
      async (request, reply) => {
        const { context = request.body as Record<string, Loose> } =
          request.body;
        const { toggles } = await evaluate(
          request,
          reply,
          contextOf(context, surroundingsOf(request)),
        );
        return { toggles };
      },
    );

    scope.post(
      '/api/frontend/client/register',
      {
        config: write,
        schema: {
          tags,
          summary: 'Register an instance of an application',
          body: Registration,
          response: { 200: Ok },
        },
      },
      async ({ body, caller }, reply) => {
        await desk.register(body, tokenOf(caller));
        return reply.type('text/plain').send('OK');
      },
    );

    scope.post(
      '/api/frontend/client/metrics',
      {
        config: write,
        schema: {
          tags,
          summary: 'Report usage',
          body: UsageBody,
          response: { 200: Ok },
        },
      },
      async ({ body, caller }, reply) => {
        await desk.report(body, tokenOf(caller));
        return reply.type('text/plain').send('OK');
      },
    );
  });
}

/** Returns the revision in an entity tag of this route; 0 if there is none. */
function readRevision(ifNoneMatch: string | undefined): number {
  const [, revision] = /:(\d{1,15})"$/.exec(ifNoneMatch ?? '') ?? [];
  return Number(revision ?? 0);
}

/** Checks whether `If-None-Match` names this content, at any revision. */
function isContent(ifNoneMatch: string | undefined, content: string): boolean {
  return (
    ifNoneMatch?.trim() === '*' ||
    (ifNoneMatch ?? '')
      .split(',')
      .some(tag => tag.trim().replace(/^W\//, '').startsWith(`"${content}:`))
  );
}
