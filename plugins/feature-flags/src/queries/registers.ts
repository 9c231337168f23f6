import { useMemo } from 'react';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { catalogApiRef } from '@backstage/plugin-catalog-react';
import { useServiceChange, useServiceQuery } from '@slipway/app-react';
import { type FlagsApi, flagsApiRef } from '../api/FlagsApi';
import type {
  ContextField,
  Environment,
  Project,
  TagType,
} from '../api/registers';
import type { NewSegment, Segment } from '../api/segments';

/** Maximum number of options; other owners can be entered as a reference. */
const MAX_OWNERS = 1_000;

/** Reads the environments of the service, in their order. */
export function useAllEnvironments() {
  return useServiceQuery(flagsApiRef, ['all-environments'], (api, call) =>
    api.listEnvironments(call),
  );
}

export function useUpdateEnvironment(name: string) {
  return useServiceChange(
    flagsApiRef,
    (api, changes: Parameters<FlagsApi['updateEnvironment']>[1]) =>
      api.updateEnvironment(name, changes),
  );
}

/** Creates an environment, or changes its type. */
export function useSaveEnvironment() {
  return useServiceChange(
    flagsApiRef,
    (
      api,
      {
        isNew,
        environment,
      }: { isNew: boolean; environment: Pick<Environment, 'name' | 'type'> },
    ) => {
      const { name, type } = environment;
      return isNew
        ? api.createEnvironment(environment)
        : api.updateEnvironment(name, { type });
    },
  );
}

export function useDeleteEnvironment() {
  return useServiceChange(flagsApiRef, (api, name: string) =>
    api.deleteEnvironment(name),
  );
}

export function useProjects() {
  return useServiceQuery(flagsApiRef, ['projects'], (api, call) =>
    api.listProjects(call),
  );
}

/** Reads the fields of the context that applications evaluate flags in. */
export function useContextFields() {
  return useServiceQuery(flagsApiRef, ['context-fields'], (api, call) =>
    api.listContextFields(call),
  );
}

/** Creates a project, or changes one. */
export function useSaveProject() {
  return useServiceChange(
    flagsApiRef,
    (api, { isNew, project }: { isNew: boolean; project: Project }) => {
      const { id, ...changes } = project;
      return isNew
        ? api.createProject(project)
        : api.updateProject(id, changes);
    },
  );
}

/** Creates a field, or changes the values that it may have. */
export function useSaveContextField() {
  return useServiceChange(
    flagsApiRef,
    (api, { isNew, field }: { isNew: boolean; field: ContextField }) =>
      isNew ? api.createContextField(field) : api.updateContextField(field),
  );
}

export function useDeleteContextField() {
  return useServiceChange(flagsApiRef, (api, name: string) =>
    api.deleteContextField(name),
  );
}

export function useTagTypes() {
  return useServiceQuery(flagsApiRef, ['tag-types'], (api, call) =>
    api.listTagTypes(call),
  );
}

/** Creates a type of tags, or changes one. */
export function useSaveTagType() {
  return useServiceChange(
    flagsApiRef,
    (api, { isNew, type }: { isNew: boolean; type: TagType }) =>
      isNew ? api.createTagType(type) : api.updateTagType(type),
  );
}

export function useDeleteTagType() {
  return useServiceChange(flagsApiRef, (api, name: string) =>
    api.deleteTagType(name),
  );
}

/** Reads the constraints that rules share. */
export function useSegments() {
  return useServiceQuery(flagsApiRef, ['segments'], (api, call) =>
    api.listSegments(call),
  );
}

/** Returns the names of the segments by their ids; empty while they are loading. */
export function useSegmentNames(): ReadonlyMap<number, string> {
  const { data } = useSegments();
  return useMemo(
    () => new Map(data?.map(({ id, name }) => [id, name])),
    [data],
  );
}

/**
 * Creates a segment, or changes the one with the given id; fails with 412 if others have changed it
 * since it was read.
 */
export function useSaveSegment() {
  return useServiceChange(
    flagsApiRef,
    (api, { id, etag, ...segment }: NewSegment & Partial<Segment>) =>
      id === undefined
        ? api.createSegment(segment)
        : api.updateSegment(id, segment, etag),
  );
}

export function useDeleteSegment() {
  return useServiceChange(flagsApiRef, (api, id: number) =>
    api.deleteSegment(id),
  );
}

/** Reads the entities that can own a project: groups, users, components and systems, as references. */
export function usePossibleOwners() {
  return useServiceQuery(catalogApiRef, ['possible-owners'], async api => {
    const { items } = await api.queryEntities({
      filter: { kind: ['group', 'user', 'system', 'component'] },
      fields: ['kind', 'metadata.name', 'metadata.namespace'],
      orderFields: [
        { field: 'kind', order: 'asc' },
        { field: 'metadata.name', order: 'asc' },
      ],
      limit: MAX_OWNERS,
    });
    return items.map(entity => stringifyEntityRef(entity));
  });
}
