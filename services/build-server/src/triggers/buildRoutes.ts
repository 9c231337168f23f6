import { isSameSecret } from '@slipway/platform-guards';
import {
  actorOf,
  type ServiceApp,
  UnauthenticatedError,
} from '@slipway/service-kit';
import type { FastifyRequest } from 'fastify';
import type { Permissions } from '../access/Permissions.ts';
import { shortName } from '../builds/Build.ts';
import { type Addresses, baseUrlOf, queueUrl } from '../jenkins/urls.ts';
import type { JobCatalog } from '../jobs/JobCatalog.ts';
import type { BuildTriggers } from './BuildTriggers.ts';
import { acceptForms } from './FormBody.ts';
import { nameDelivery, readDelay, readGiven } from './readTrigger.ts';
import {
  JobParams,
  ParametersBody,
  QueueAnswer,
  TriggerQuery,
} from './schemas.ts';

/** Registers the routes that trigger builds directly, with and without parameters. */
export function buildRoutes(
  app: ServiceApp,
  options: {
    permissions: Permissions;
    jobs: JobCatalog;
    secrets: ReadonlyMap<string, string>;
    triggers: BuildTriggers;
    addresses: Addresses;
  },
): void {
  const { permissions, jobs, secrets, triggers, addresses } = options;

  /** The token is a credential, so it is checked before the rest of the request. */
  const verifyToken = async ({ params, query }: FastifyRequest) => {
    const { token } = query as { token?: unknown };
    const { buildToken } = jobs.find((params as { job: string }).job) ?? {};
    if (
      typeof token === 'string' &&
      buildToken !== undefined &&
      !isSameSecret(token, secrets.get(buildToken)!)
    ) {
      throw new UnauthenticatedError('The build token is not valid');
    }
  };

  app.register(async (routes: ServiceApp) => {
    acceptForms(routes);
    routes.addHook('onRequest', async ({ headers }) => {
      // Many clients send a content type on requests without a body.
      if (headers['content-length'] === '0') {
        delete headers['content-type'];
      }
    });
    for (const route of ['build', 'buildWithParameters'] as const) {
      routes.post(
        `/job/:job/${route}`,
        {
          config: { access: permissions.read, faults: ['conflict'] },
          onRequest: [permissions.demandTrigger, verifyToken],
          schema: {
            tags: ['triggers'],
            summary:
              route === 'build'
                ? 'Trigger a job'
                : 'Trigger a job with parameters: form pairs or {parameter: [{name, value}]}',
            params: JobParams,
            querystring: TriggerQuery,
            body: ParametersBody,
            response: { 201: QueueAnswer },
          },
        },
        async (request, reply) => {
          const { params, query, body, caller } = request;
          const delayMs = readDelay(query.delay);
          const given = readGiven({ body, query });
          const job = jobs.get(params.job);
          const by = actorOf(caller);
          const build = await triggers.trigger({
            job,
            parameters: given,
            cause: `Triggered by ${shortName(by)}`,
            triggeredBy: by,
            delivery: nameDelivery(request),
            delayMs,
          });
          const location = queueUrl(baseUrlOf(request, addresses), build.id);
          return reply
            .code(201)
            .header('location', location)
            .send({ location });
        },
      );
    }
  });
}
