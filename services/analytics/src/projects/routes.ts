import {
  type Access,
  actorOf,
  isMemberOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Credential, Project } from './ProjectStore.ts';
import type { Projects } from './Projects.ts';
import {
  CreatedCredential,
  CredentialList,
  CredentialPath,
  NewCredential,
  NewProject,
  ProjectBody,
  ProjectList,
  ProjectPath,
} from './schemas.ts';

/** Adds the routes by which pages of the portal manage projects, keys and tokens. */
export function projectRoutes(
  app: ServiceApp,
  options: {
    projects: Projects;
    users: Access;
    admins: Access;
    adminGroups: readonly string[];
    /** The name of the engine that answers questions. */
    engine: () => string;
  },
): void {
  const { projects, users, admins, adminGroups, engine } = options;
  const tags = ['projects'];

  app.get(
    '/api/projects',
    {
      config: { access: users },
      schema: { tags, summary: 'All projects', response: { 200: ProjectList } },
    },
    async ({ caller }) => ({
      projects: (await projects.list()).map(toBody),
      engine: engine(),
      may_manage: await isMemberOf(caller, adminGroups),
    }),
  );
  app.post(
    '/api/projects',
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Make a project',
        body: NewProject,
        response: { 201: ProjectBody },
      },
    },
    async ({ body, caller }, reply) => {
      reply.code(201);
      const { id, name } = body;
      return toBody(await projects.create({ id, name }, actorOf(caller)));
    },
  );
  app.get(
    '/api/projects/:projectId/credentials',
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Keys and tokens of a project, without their secrets',
        params: ProjectPath,
        response: { 200: CredentialList },
      },
    },
    async ({ params }) => ({
      credentials: (await projects.credentialsOf(params.projectId)).map(
        toCredentialBody,
      ),
    }),
  );
  app.post(
    '/api/projects/:projectId/credentials',
    {
      config: { access: admins },
      schema: {
        tags,
        summary: 'Make a project key or an API token; its secret is shown once',
        params: ProjectPath,
        body: NewCredential,
        response: { 201: CreatedCredential },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { kind, name } = body;
      const { credential, secret } = await projects.createCredential(
        { projectId: params.projectId, kind, name },
        actorOf(caller),
      );
      reply.code(201);
      return { credential: toCredentialBody(credential), secret };
    },
  );
  app.delete(
    '/api/projects/:projectId/credentials/:credentialId',
    {
      config: { access: admins },
      schema: {
        tags,
        summary: 'Revoke a key or token that was made in the portal',
        params: CredentialPath,
      },
    },
    async ({ params }) => {
      await projects.revoke(params.projectId, params.credentialId);
      return {};
    },
  );
}

function toBody({ id, name, createdAt }: Project) {
  return { id, name, created_at: new Date(createdAt).toISOString() };
}

function toCredentialBody(credential: Credential) {
  const { id, kind, name, hint, origin, createdAt, createdBy } = credential;
  return {
    id,
    kind,
    name,
    hint,
    origin,
    created_at: new Date(createdAt).toISOString(),
    created_by: createdBy,
  };
}
