import {
  type Access,
  ForbiddenError,
  type ServiceApp,
  UnavailableError,
} from '@slipway/service-kit';
import { Type } from 'typebox';
import type { Projects } from '../projects/Projects.ts';
import type { FlagSource } from './FlagSource.ts';

/** The path that current SDKs use, and the one that earlier SDKs use. */
const PATHS = [
  '/flags/definitions',
  '/api/feature_flag/local_evaluation',
] as const;

const Definitions = Type.Object({
  flags: Type.Array(
    Type.Object({
      id: Type.Integer(),
      key: Type.String(),
      name: Type.String(),
      active: Type.Boolean(),
      ensure_experience_continuity: Type.Boolean({
        description: 'True if the SDK has to ask for the value of the flag',
      }),
      filters: Type.Object({
        groups: Type.Array(
          Type.Object({
            properties: Type.Array(Type.Unknown()),
            rollout_percentage: Type.Number(),
          }),
        ),
      }),
    }),
  ),
  group_type_mapping: Type.Record(Type.String(), Type.String()),
  cohorts: Type.Record(Type.String(), Type.Unknown()),
});

/** Adds the routes from which SDKs read flags that they evaluate themselves. */
export function flagDefinitionRoutes(
  app: ServiceApp,
  options: {
    tokens: Access;
    projects: Projects;
    /** Returns the project of a key for sending events. */
    projectOfKey: (key: string) => Promise<string | undefined>;
    /** Undefined if there is no source of flags; then there are no flags. */
    flags: FlagSource | undefined;
    groupTypes: (projectId: string) => Promise<readonly string[]>;
  },
): void {
  const { tokens, projects, projectOfKey, flags, groupTypes } = options;
  for (const path of PATHS) {
    app.get(
      path,
      {
        config: { access: tokens },
        schema: {
          tags: ['SDKs'],
          summary: 'List the flags for SDKs that evaluate them',
          querystring: Type.Object({
            token: Type.Optional(
              Type.String({
                maxLength: 200,
                description: 'A project key of the same project',
              }),
            ),
            send_cohorts: Type.Optional(Type.String({ maxLength: 10 })),
          }),
          response: { 200: Definitions },
        },
      },
      async ({ caller, query }) => {
        const { id } = await projects.open(caller, '@current');
        if (
          query.token !== undefined &&
          (await projectOfKey(query.token)) !== id
        ) {
          throw new ForbiddenError(
            'The project key does not belong to the project of the API token',
          );
        }
        const definitions = flags ? flags.definitions() : [];
        if (!definitions) {
          throw new UnavailableError('The flags are not available yet');
        }
        const types = await groupTypes(id);
        return {
          flags: definitions,
          group_type_mapping: Object.fromEntries(types.entries()),
          cohorts: {},
        };
      },
    );
  }
}
