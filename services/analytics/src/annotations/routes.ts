import { isoOf } from '@slipway/entity-contract';
import { type Access, instantOf, type ServiceApp } from '@slipway/service-kit';
import { presentPage } from '../projects/pages.ts';
import { ProjectPath } from '../projects/schemas.ts';
import type { Annotations, ReadAnnotation } from './Annotations.ts';
import {
  AnnotationBody,
  AnnotationList,
  AnnotationPath,
  ChangedAnnotation,
  ListQuery,
  NewAnnotation,
} from './schemas.ts';

/** Adds the routes of annotations, in PostHog's shapes. */
export function annotationRoutes(
  app: ServiceApp,
  options: { annotations: Annotations; users: Access; readers: Access },
): void {
  const { annotations, users, readers } = options;
  const tags = ['annotations'];
  const url = '/api/projects/:projectId/annotations';

  app.get(
    url,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'List the annotations of a project, the latest first',
        params: ProjectPath,
        querystring: ListQuery,
        response: { 200: AnnotationList },
      },
    },
    async ({ params, query, caller }) => {
      const { after, before, search, limit, offset } = query;
      const { annotations: found, count } = await annotations.list(
        caller,
        params.projectId,
        {
          after: momentOf(after),
          before: momentOf(before),
          search: search || undefined,
          limit,
          offset,
        },
      );
      return presentPage(
        { route: url, projectId: params.projectId, query },
        { count, results: found.map(present) },
      );
    },
  );
  app.post(
    url,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Add an annotation',
        params: ProjectPath,
        body: NewAnnotation,
        response: { 201: AnnotationBody },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { content, date_marker: marker } = body;
      reply.code(201);
      return present(
        await annotations.create(caller, params.projectId, {
          content: content.trim(),
          markedAt: momentOf(marker),
        }),
      );
    },
  );
  app.get(
    `${url}/:id`,
    {
      config: { access: readers },
      schema: {
        tags,
        summary: 'Get an annotation',
        params: AnnotationPath,
        response: { 200: AnnotationBody },
      },
    },
    async ({ params, caller }) =>
      present(await annotations.get(caller, params.projectId, params.id)),
  );
  app.patch(
    `${url}/:id`,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Change or delete an annotation',
        params: AnnotationPath,
        body: ChangedAnnotation,
        response: { 200: AnnotationBody },
      },
    },
    async ({ params, body, caller }) => {
      const { projectId, id } = params;
      const { content, date_marker: marker, deleted } = body;
      if (deleted) {
        const annotation = await annotations.get(caller, projectId, id);
        await annotations.remove(caller, projectId, id);
        return { ...present(annotation), deleted: true };
      }
      return present(
        await annotations.change(caller, projectId, {
          id,
          ...(content !== undefined && { content: content.trim() }),
          ...(marker !== undefined && { markedAt: instantOf(marker) }),
        }),
      );
    },
  );
  app.delete(
    `${url}/:id`,
    {
      config: { access: users },
      schema: {
        tags,
        summary: 'Delete an annotation',
        params: AnnotationPath,
      },
    },
    async ({ params, caller }) => {
      await annotations.remove(caller, params.projectId, params.id);
      return {};
    },
  );
}

function momentOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : instantOf(timestamp);
}

function present(annotation: ReadAnnotation) {
  return {
    id: annotation.id,
    content: annotation.content,
    date_marker: isoOf(annotation.markedAt),
    scope: 'project',
    creation_type: 'USR',
    created_by: annotation.createdBy,
    created_at: isoOf(annotation.createdAt),
    updated_at: isoOf(annotation.updatedAt),
    deleted: false,
    may_change: annotation.mayChange,
  };
}
