import type { ServiceClient, CallOptions } from '@slipway/app-react';

/** A field of the context in which applications evaluate flags. */
export interface ContextField {
  name: string;
  /** The values that it may have; any if empty. */
  legalValues: readonly { value: string; description?: string }[];
}

/** A place where applications run. */
export interface Environment {
  name: string;
  type: string;
  protected: boolean;
  requiredApprovals: number;
}

export interface Project {
  id: string;
  name: string;
  /** Entity reference of the owner, who may change the project's flags, as admins may. */
  owner: string | null;
}

/** A type of tags. */
export interface TagType {
  name: string;
  description: string;
  /** A letter, an emoji or the name of an icon; empty for none. */
  icon: string;
  /** `#rrggbb` */
  color: string | null;
}

/** Environments, projects, context fields and types of tags. */
export interface RegisterCalls {
  listEnvironments(options?: CallOptions): Promise<Environment[]>;
  createEnvironment(
    environment: Pick<Environment, 'name' | 'type'>,
  ): Promise<void>;
  updateEnvironment(
    name: string,
    changes: Partial<Omit<Environment, 'name'>>,
  ): Promise<void>;
  deleteEnvironment(name: string): Promise<void>;
  listProjects(options?: CallOptions): Promise<Project[]>;
  createProject(project: Project): Promise<Project>;
  updateProject(
    id: string,
    changes: Partial<Omit<Project, 'id'>>,
  ): Promise<Project>;
  listContextFields(options?: CallOptions): Promise<ContextField[]>;
  createContextField(field: ContextField): Promise<ContextField>;
  updateContextField(field: ContextField): Promise<ContextField>;
  deleteContextField(name: string): Promise<void>;
  listTagTypes(options?: CallOptions): Promise<TagType[]>;
  createTagType(type: TagType): Promise<TagType>;
  updateTagType(type: TagType): Promise<TagType>;
  deleteTagType(name: string): Promise<void>;
}

/** {@link RegisterCalls} of the service. */
export function registerCalls(admin: ServiceClient): RegisterCalls {
  return {
    async listEnvironments(options) {
      const { environments } = await admin.json<{
        environments: Environment[];
      }>('/environments', options);
      return environments;
    },

    async createEnvironment(environment) {
      await admin.json('/environments', { method: 'POST', body: environment });
    },

    async deleteEnvironment(name) {
      await admin.json(`/environments/${encodeURIComponent(name)}`, {
        method: 'DELETE',
      });
    },

    async updateEnvironment(name, changes) {
      await admin.json(`/environments/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body: changes,
      });
    },

    async listProjects(options) {
      const { projects } = await admin.json<{ projects: Project[] }>(
        '/projects',
        options,
      );
      return projects;
    },

    listContextFields(options) {
      return admin.json('/context', options);
    },

    createProject(project) {
      return admin.json('/projects', { method: 'POST', body: project });
    },

    updateProject(id, changes) {
      return admin.json(`/projects/${encodeURIComponent(id)}`, {
        method: 'PUT',
        body: changes,
      });
    },

    createContextField(field) {
      return admin.json('/context', { method: 'POST', body: field });
    },

    updateContextField({ name, ...body }) {
      return admin.json(`/context/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body,
      });
    },

    async deleteContextField(name) {
      await admin.json(`/context/${encodeURIComponent(name)}`, {
        method: 'DELETE',
      });
    },

    async listTagTypes(options) {
      const { tagTypes } = await admin.json<{ tagTypes: TagType[] }>(
        '/tag-types',
        options,
      );
      return tagTypes;
    },

    createTagType(type) {
      return admin.json('/tag-types', { method: 'POST', body: type });
    },

    updateTagType({ name, ...body }) {
      return admin.json(`/tag-types/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body,
      });
    },

    async deleteTagType(name) {
      await admin.json(`/tag-types/${encodeURIComponent(name)}`, {
        method: 'DELETE',
      });
    },
  };
}
