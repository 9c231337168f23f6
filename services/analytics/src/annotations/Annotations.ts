import {
  actorOf,
  type Caller,
  ForbiddenError,
  isMemberOf,
  NotFoundError,
} from '@slipway/service-kit';
import type { Projects } from '../projects/Projects.ts';
import type {
  Annotation,
  AnnotationQuery,
  AnnotationStore,
} from './storage/AnnotationStore.ts';

/** The part of an annotation that users write. */
type AnnotationContent = Pick<Annotation, 'content' | 'markedAt'>;

/** An annotation, and whether the caller may change it. */
export interface ReadAnnotation extends Annotation {
  readonly mayChange: boolean;
}

interface AnnotationsOptions {
  store: AnnotationStore;
  projects: Pick<Projects, 'open'>;
  /** Groups that may change everything. */
  admins: readonly string[];
  now: () => number;
}

/**
 * Manages annotations. Everyone who may read a project can read and add them; only their authors
 * and admins can change them.
 */
export class Annotations {
  readonly #options: AnnotationsOptions;

  constructor(options: AnnotationsOptions) {
    this.#options = options;
  }

  async list(
    caller: Caller,
    projectId: string,
    query: AnnotationQuery,
  ): Promise<{ annotations: ReadAnnotation[]; count: number }> {
    const { store, projects } = this.#options;
    const { id } = await projects.open(caller, projectId);
    const { annotations, count } = await store.list(id, query);
    const read = await Promise.all(
      annotations.map(each => this.#read(caller, each)),
    );
    return { annotations: read, count };
  }

  /** @throws NotFoundError */
  async get(
    caller: Caller,
    projectId: string,
    id: number,
  ): Promise<ReadAnnotation> {
    const { store, projects } = this.#options;
    const project = await projects.open(caller, projectId);
    const annotation = await store.find(project.id, id);
    if (!annotation) {
      throw new NotFoundError('Annotation not found');
    }
    return this.#read(caller, annotation);
  }

  /** Adds an annotation; it marks the current time by default. */
  async create(
    caller: Caller,
    projectId: string,
    { content, markedAt }: Pick<Annotation, 'content'> & { markedAt?: number },
  ): Promise<ReadAnnotation> {
    const { store, projects, now } = this.#options;
    const project = await projects.open(caller, projectId);
    const at = now();
    const added = await store.add({
      projectId: project.id,
      content,
      markedAt: markedAt ?? at,
      createdAt: at,
      createdBy: actorOf(caller),
      updatedAt: at,
    });
    return { ...added, mayChange: true };
  }

  /** Changes an annotation. @throws NotFoundError also if it is deleted at the same time. */
  async change(
    caller: Caller,
    projectId: string,
    { id, ...content }: { id: number } & Partial<AnnotationContent>,
  ): Promise<ReadAnnotation> {
    const { store, now } = this.#options;
    const annotation = await this.#open(caller, projectId, id);
    await store.change(annotation, content, now());
    return this.get(caller, projectId, id);
  }

  async remove(caller: Caller, projectId: string, id: number): Promise<void> {
    await this.#options.store.remove(await this.#open(caller, projectId, id));
  }

  async #open(
    caller: Caller,
    projectId: string,
    id: number,
  ): Promise<ReadAnnotation> {
    const annotation = await this.get(caller, projectId, id);
    if (!annotation.mayChange) {
      throw new ForbiddenError('Only its author and admins may change it');
    }
    return annotation;
  }

  async #read(caller: Caller, annotation: Annotation): Promise<ReadAnnotation> {
    const mayChange =
      annotation.createdBy === actorOf(caller) ||
      (await isMemberOf(caller, this.#options.admins));
    return { ...annotation, mayChange };
  }
}
