import { isoOf } from '@slipway/entity-contract';
import {
  type Access,
  actorOf,
  instantOf,
  InvalidRequestError,
  isMemberOf,
  type ServiceApp,
} from '@slipway/service-kit';
import type { Credential } from './Credential.ts';
import { isZone } from '../query/time/zones.ts';
import type { Credentials } from './Credentials.ts';
import type { ManagedProjects } from './ManagedProjects.ts';
import type { Project } from './Project.ts';
import type { Projects } from './Projects.ts';
import {
  ChangedProject,
  CreatedCredential,
  CredentialList,
  CredentialPath,
  NewCredential,
  NewProject,
  ProjectBody,
  ProjectList,
  ProjectPath,
  Pseudonym,
} from './schemas.ts';

/** Adds the routes with which the portal manages projects, keys and tokens. */
export function projectRoutes(
  app: ServiceApp,
  options: {
    projects: Projects;
    managed: ManagedProjects;
    credentials: Credentials;
    users: Access;
    admins: Access;
    adminGroups: readonly string[];
    /** The name of the engine that runs queries. */
    engine: () => string;
  },
): void {
  const { projects, managed, credentials } = options;
  const { users, admins, adminGroups, engine } = options;
  const tags = ['projects'];

  app.get(
    '/api/pseudonym',
    {
      config: { access: users },
      schema: {
        tags,
        summary: "Get the caller's own pseudonym in the events of the portal",
        response: { 200: Pseudonym },
      },
    },
    async ({ caller }) => ({
      distinct_id: await projects.pseudonymOf(actorOf(caller)),
    }),
  );
  app.get(
    '/api/projects',
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'List the projects that the caller may read',
        response: { 200: ProjectList },
      },
    },
    async ({ caller }) => ({
      projects: (await projects.listFor(caller)).map(toBody),
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
        summary: 'Create a project',
        body: NewProject,
        response: { 201: ProjectBody },
      },
    },
    async ({ body, caller }, reply) => {
      reply.code(201);
      const { id, name, readers } = body;
      return toBody(
        await managed.create(
          { id, name: name.trim(), readers },
          actorOf(caller),
        ),
      );
    },
  );
  app.patch(
    '/api/projects/:projectId',
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary:
          'Change a project; of one in the configuration only its test accounts',
        params: ProjectPath,
        body: ChangedProject,
        response: { 200: ProjectBody },
      },
    },
    async ({ params, body }) => {
      const { name, time_zone: zone, week_start: weekStart } = body;
      if (zone !== undefined && !isZone(zone)) {
        throw new InvalidRequestError(
          'time_zone must be the name of a time zone, such as Europe/Zurich',
          { field: 'time_zone', constraint: 'enum' },
        );
      }
      const filters = body.test_account_filters;
      const isChecked = body.test_account_filters_default_checked;
      return toBody(
        await managed.change(params.projectId, {
          ...(name !== undefined && { name: name.trim() }),
          ...(zone !== undefined && { zone }),
          ...(weekStart !== undefined && {
            weekStart: weekStart === 'monday' ? 1 : 0,
          }),
          ...(body.retention_days !== undefined && {
            retentionDays: body.retention_days,
          }),
          ...(filters !== undefined && { testAccountFilters: filters }),
          ...(isChecked !== undefined && { filtersTestAccounts: isChecked }),
        }),
      );
    },
  );
  app.delete(
    '/api/projects/:projectId',
    {
      config: { access: admins, faults: ['conflict'] },
      schema: {
        tags,
        summary: 'Delete a project with its keys, tokens and events',
        params: ProjectPath,
      },
    },
    async ({ params }) => {
      await managed.delete(params.projectId);
      return {};
    },
  );
  app.get(
    '/api/projects/:projectId/credentials',
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'List the keys and tokens of a project, without their secrets',
        params: ProjectPath,
        response: { 200: CredentialList },
      },
    },
    async ({ params, caller }) => ({
      credentials: (await credentials.listFor(caller, params.projectId)).map(
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
        summary:
          'Create a project key or an API token, whose secret is shown once',
        params: ProjectPath,
        body: NewCredential,
        response: { 201: CreatedCredential },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { kind, name, scopes, expires_at: expires } = body;
      const expiresAt = expires === undefined ? undefined : instantOf(expires);
      const { credential, secret } = await credentials.create(
        { projectId: params.projectId, kind, name, scopes, expiresAt },
        actorOf(caller),
      );
      reply.code(201);
      return { credential: toCredentialBody(credential), secret };
    },
  );
  app.post(
    '/api/projects/:projectId/credentials/:credentialId/rotate',
    {
      config: { access: admins },
      schema: {
        tags,
        summary:
          'Replace the secret of a key or token; the old one ends at once',
        params: CredentialPath,
        response: { 201: CreatedCredential },
      },
    },
    async ({ params, caller }, reply) => {
      const { credential, secret } = await credentials.rotate(
        params.projectId,
        params.credentialId,
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
        summary: 'Revoke a key or token that was created in the portal',
        params: CredentialPath,
      },
    },
    async ({ params }) => {
      await credentials.revoke(params.projectId, params.credentialId);
      return {};
    },
  );
}

function toBody(project: Project) {
  const { id, name, createdAt, hidesPeople, calendar } = project;
  const { isConfigured, retentionDays } = project;
  return {
    id,
    name,
    created_at: isoOf(createdAt),
    hides_people: hidesPeople,
    time_zone: calendar.zone,
    week_start:
      calendar.weekStart === 1 ? ('monday' as const) : ('sunday' as const),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
    is_configured: isConfigured,
    test_account_filters: [...(project.testAccountFilters ?? [])],
    test_account_filters_default_checked: project.filtersTestAccounts,
  };
}

function toCredentialBody(credential: Credential) {
  const { id, kind, name, scopes, hint, origin, createdAt, createdBy } =
    credential;
  const { key, expiresAt } = credential;
  return {
    id,
    kind,
    name,
    ...(scopes && { scopes: [...scopes] }),
    hint,
    ...(key !== undefined && { key }),
    ...(expiresAt !== undefined && {
      expires_at: isoOf(expiresAt),
    }),
    origin,
    created_at: isoOf(createdAt),
    created_by: createdBy,
  };
}
