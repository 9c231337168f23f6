import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { ProjectOwners } from '../tokens/ProjectOwners.ts';
import { featureResponder, type FeatureRouteOptions } from './featureRoutes.ts';
import { FeaturePath, FeatureResponse } from './featureSchemas.ts';
import { contextOf } from './routes.ts';
import { Name, Precondition } from './schemas.ts';

const Move = Type.Object({
  newProjectId: Type.String({ ...Name, description: 'An existing project.' }),
});

/** Adds `POST …/features/{featureName}/changeProject`, which moves a flag to another project. */
export function moveRoute(
  app: ServiceApp,
  options: FeatureRouteOptions & { owners: ProjectOwners },
): void {
  const { flags, owners, environment, access } = options;
  const respond = featureResponder(options);
  app.post(
    '/api/admin/projects/:projectId/features/:featureName/changeProject',
    {
      config: { access: access.change, faults: ['preconditionFailed'] },
      schema: {
        tags: ['features'],
        summary:
          'Move a flag to another project, for a caller who may change the flags of both',
        params: FeaturePath,
        headers: Precondition,
        body: Move,
        response: { 200: FeatureResponse },
      },
    },
    async (request, reply) => {
      const { projectId, featureName } = request.params;
      const { newProjectId: project } = request.body;
      await owners.assertMayMoveTo(request.caller, project);
      const context = {
        ...contextOf(request, environment),
        project: projectId,
      };
      return respond(
        reply,
        await flags.edit(featureName, context, flag => ({ ...flag, project })),
      );
    },
  );
}
