import { randomUUID } from 'node:crypto';
import { InvalidRequestError, type ServiceApp } from '@slipway/service-kit';
import type { KnownThings } from './checkRules.ts';
import { featureResponder, type FeatureRouteOptions } from './featureRoutes.ts';
import {
  FeatureResponse,
  FeaturePath,
  LinkPath,
  ParentPath,
} from './featureSchemas.ts';
import { addDependency, without } from './flagEdits.ts';
import { contextOf } from './routes.ts';
import { Dependency, Link, Precondition } from './schemas.ts';

/** Adds `…/features/{featureName}/dependencies` and `…/link`: the parent flags and links of a flag. */
export function relationRoutes(
  app: ServiceApp,
  options: FeatureRouteOptions,
): void {
  const { flags, known, environment, access } = options;
  const base = '/api/admin/projects/:projectId/features';
  const tags = ['features'];
  const write = {
    config: { access: access.change, faults: ['preconditionFailed'] },
  } as const;
  const respond = featureResponder(options);

  app.post(
    `${base}/:featureName/dependencies`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Make a flag depend on another one',
        params: FeaturePath,
        headers: Precondition,
        body: Dependency,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName } = request.params;
      const { feature, enabled, variants } = request.body;
      assertNoCycle(featureName, feature, known);
      const dependency = { feature, enabled, ...(variants && { variants }) };
      const context = { ...contextOf(request, environment), project };
      return respond(
        reply,
        await flags.edit(featureName, context, flag =>
          addDependency(flag, dependency),
        ),
      );
    },
  );

  app.delete(
    `${base}/:featureName/dependencies/:parent`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Remove the dependency of a flag on another one',
        params: ParentPath,
        headers: Precondition,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName, parent } = request.params;
      const context = { ...contextOf(request, environment), project };
      return respond(
        reply,
        await flags.edit(featureName, context, flag => ({
          ...flag,
          dependencies: without(
            flag.dependencies,
            ({ feature }) => feature === parent,
            `Flag ${featureName} does not depend on ${parent}`,
          ),
        })),
      );
    },
  );

  app.post(
    `${base}/:featureName/link`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Add a link to a flag',
        params: FeaturePath,
        headers: Precondition,
        body: Link,
        response: { 201: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName } = request.params;
      const { url, title } = request.body;
      const link = { id: randomUUID(), url, ...(title && { title }) };
      const context = { ...contextOf(request, environment), project };
      reply.code(201);
      return respond(
        reply,
        await flags.edit(featureName, context, flag => ({
          ...flag,
          links: [...flag.links, link],
        })),
      );
    },
  );

  app.delete(
    `${base}/:featureName/link/:linkId`,
    {
      ...write,
      schema: {
        tags,
        summary: 'Remove a link from a flag',
        params: LinkPath,
        headers: Precondition,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId: project, featureName, linkId } = request.params;
      const context = { ...contextOf(request, environment), project };
      return respond(
        reply,
        await flags.edit(featureName, context, flag => ({
          ...flag,
          links: without(
            flag.links,
            ({ id }) => id === linkId,
            `Link ${linkId} not found`,
          ),
        })),
      );
    },
  );
}

/** Checks a new parent. @throws InvalidRequestError if it is the flag itself or depends on it. */
function assertNoCycle(flag: string, parent: string, known: KnownThings): void {
  const refuse = (message: string): never => {
    throw new InvalidRequestError(message, {
      field: 'feature',
      constraint: 'enum',
    });
  };
  if (parent === flag) {
    refuse('feature must be another flag');
  }
  const ancestors = new Set([parent]);
  // Iterating over a Set also visits the items that are added during the iteration.
  for (const ancestor of ancestors) {
    for (const each of known.parentsOf(ancestor) ?? []) {
      ancestors.add(each);
    }
  }
  if (ancestors.has(flag)) {
    refuse(`feature must not depend on ${flag}, as ${parent} does`);
  }
}
