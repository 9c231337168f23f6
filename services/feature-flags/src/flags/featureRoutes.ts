import { actorOf, type ServiceApp } from '@slipway/service-kit';
import type { FastifyReply } from 'fastify';
import { type Flag, LIST_VERSION } from '../model/Flag.ts';
import type { Environments, Projects } from '../registers/registers.ts';
import { given } from '../registers/schemas.ts';
import type { FlagAccess } from '../tokens/access.ts';
import type { KnownThings } from './checkRules.ts';
import {
  FeatureResponse,
  FeatureChanges,
  FeatureCreation,
  FeatureList,
  FeaturePath,
  FoundFeatures,
  ProjectPath,
} from './featureSchemas.ts';
import type { FlagAdmin } from './FlagAdmin.ts';
import { flagTag } from './preconditions.ts';
import { presentFeature } from './present.ts';
import { contextOf } from './routes.ts';
import { FlagListQuery, Precondition } from './schemas.ts';

export interface FeatureRouteOptions {
  flags: FlagAdmin;
  environments: Environments;
  projects: Projects;
  known: KnownThings;
  /** The service's own environment. */
  environment: string;
  access: FlagAccess;
}

/** Returns a function that responds with a flag in all environments, and its entity tag. */
export function featureResponder({
  environments,
  known,
}: Pick<FeatureRouteOptions, 'environments' | 'known'>) {
  return async (reply: FastifyReply, flag: Flag) => {
    reply.header('etag', flagTag(flag));
    return presentFeature(flag, await environments.list(), known);
  };
}

/**
 * Adds `/api/admin/projects/{projectId}/features`: flags in all environments, and their
 * common settings, as in Unleash's admin API.
 */
export function featureRoutes(
  app: ServiceApp,
  options: FeatureRouteOptions,
): void {
  const { flags, environments, projects, known, environment, access } = options;
  const base = '/api/admin/projects/:projectId/features';
  const tags = ['features'];
  const write = {
    config: { access: access.change, faults: ['preconditionFailed'] },
  } as const;
  const respond = featureResponder(options);

  app.get(
    base,
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List the flags of a project, by name',
        params: ProjectPath,
        querystring: FlagListQuery,
        response: { 200: FeatureList },
      },
    },
    async ({ params, query }) => {
      const { id: project } = await projects.get(params.projectId);
      const all = await environments.list();
      const found = await flags.list({ ...query, project });
      return {
        version: LIST_VERSION,
        features: found.map(flag => presentFeature(flag, all, known)),
      };
    },
  );

  app.get(
    '/api/admin/search/features',
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'List the flags of all projects in all environments, by name',
        querystring: FlagListQuery,
        response: { 200: FoundFeatures },
      },
    },
    async ({ query }) => {
      const all = await environments.list();
      const found = await flags.list(query);
      return {
        features: found.map(flag => presentFeature(flag, all, known)),
        total: found.length,
      };
    },
  );

  app.post(
    base,
    {
      config: { access: access.change, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Create a flag, off in every environment',
        params: ProjectPath,
        body: FeatureCreation,
        response: { 201: FeatureResponse },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { id: project } = await projects.get(params.projectId);
      const flag = await flags.create(
        {
          ...given(body, FeatureCreation),
          project,
          links: [],
          enabled: false,
          strategies: [],
          variants: [],
        },
        { by: actorOf(caller), environment },
      );
      reply.code(201);
      return respond(reply, flag);
    },
  );

  app.get(
    `${base}/:featureName`,
    {
      config: { access: access.read },
      schema: {
        tags,
        summary: 'Get a flag in all environments',
        params: FeaturePath,
        response: { 200: FeatureResponse },
      },
    },
    async ({ params: { featureName, projectId } }, reply) =>
      respond(reply, await flags.get(featureName, projectId)),
  );

  app.put(
    `${base}/:featureName`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Change the settings that are common to all environments',
        params: FeaturePath,
        headers: Precondition,
        body: FeatureChanges,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName } = request.params;
      const changes = given(request.body, FeatureChanges);
      return respond(
        reply,
        await flags.update(featureName, changes, {
          ...contextOf(request, environment),
          project,
        }),
      );
    },
  );

  app.delete(
    `${base}/:featureName`,
    {
      ...write,
      schema: {
        tags,
        summary:
          'Archive a flag: clients no longer get it, its name stays reserved',
        params: FeaturePath,
        headers: Precondition,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName } = request.params;
      const context = { ...contextOf(request, environment), project };
      return respond(reply, await flags.archive(featureName, context));
    },
  );
}
