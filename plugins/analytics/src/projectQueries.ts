import { useEffect, useRef } from 'react';
import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { useUrlFilters } from '@slipway/design-system';
import {
  eventsApiRef,
  type NewCredential,
  type Project,
  type ProjectChanges,
} from './api/EventsApi';

/** The project of the demo organisation, which exists only while that organisation is loaded. */
const DEMO_PROJECT = 'demo';

const INGESTION_MS = 10_000;
const LAST_USED = 'slipway.analytics.project';

/** Queries the projects, the engine, and whether the user may manage the projects. */
export function useProjects() {
  return useServiceQuery(eventsApiRef, ['projects'], (api, call) =>
    api.getProjects(call),
  );
}

/**
 * Returns the project that the URL identifies; if there is none, the project of the demo
 * organisation, the one used last in this browser, or the first.
 */
export function useProject() {
  const { values, set } = useUrlFilters({ project: '' });
  const list = useProjects();
  const projects = list.data?.projects ?? [];
  const project =
    projects.find(({ id }) => id === values.project) ?? usualOf(projects);
  return {
    list,
    project,
    choose: (id: string) => set('project', id),
    /** The URL query that links to the other pages carry. */
    search: project ? `?project=${encodeURIComponent(project.id)}` : '',
  };
}

/**
 * Adds the project to the URL, so that a copied address opens the same project, and
 * remembers it in the browser.
 */
export function useKeepProject(): void {
  const { values, set } = useUrlFilters({ project: '' });
  const { project } = useProject();
  const id = project?.id;
  const named = values.project;
  useEffect(() => {
    if (id === undefined) {
      return;
    }
    localStorage.setItem(LAST_USED, id);
    if (id !== named) {
      set('project', id);
    }
  }, [id, named, set]);
}

function usualOf(projects: readonly Project[]): Project | undefined {
  const usual = [DEMO_PROJECT, localStorage.getItem(LAST_USED)];
  const found = usual.map(each => projects.find(({ id }) => id === each));
  return found.find(Boolean) ?? projects[0];
}

/** Queries the keys and tokens of a project, once it is known. */
export function useCredentials(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['credentials', projectId],
    (api, call) => api.getCredentials(projectId!, call),
    { enabled: projectId !== undefined },
  );
}

/** Queries the statistics about a project's arriving events, and refetches them regularly. */
export function useIngestion(projectId: string | undefined) {
  return useServiceQuery(
    eventsApiRef,
    ['ingestion', projectId],
    (api, call) => api.getIngestion(projectId!, call),
    { enabled: projectId !== undefined, refetchInterval: INGESTION_MS },
  );
}

/**
 * Creates a project with its first key. If only the key fails, a retry creates just the
 * key, and renames the project if the user has changed the name.
 */
export function useCreateProject() {
  const created = useRef<{ id: string; name: string }>(undefined);
  return useServiceChange(
    eventsApiRef,
    async (api, project: { id: string; name: string; keyName: string }) => {
      const { id, name, keyName } = project;
      if (created.current?.id !== id) {
        await api.createProject({ id, name });
      } else if (created.current.name !== name) {
        await api.changeProject(id, { name });
      }
      created.current = { id, name };
      await api.createCredential(id, { kind: 'capture', name: keyName });
    },
  );
}

export function useChangeProject(projectId: string) {
  return useServiceChange(eventsApiRef, (api, changes: ProjectChanges) =>
    api.changeProject(projectId, changes),
  );
}

/** Creates a key or token, and resolves with its secret; a token's secret is returned only once. */
export function useCreateCredential(projectId: string) {
  return useServiceChange(
    eventsApiRef,
    (api, credential: NewCredential) =>
      api.createCredential(projectId, credential),
    { hasSecret: true },
  );
}

/** Replaces the secret of the key or token with an id, and resolves with the new one. */
export function useRotateCredential(projectId: string) {
  return useServiceChange(
    eventsApiRef,
    (api, id: string) => api.rotateCredential(projectId, id),
    { hasSecret: true },
  );
}

/** Revokes the credential with an id, which must have been created in the portal. */
export function useRevokeCredential(projectId: string) {
  return useServiceChange(eventsApiRef, (api, id: string) =>
    api.revokeCredential(projectId, id),
  );
}
