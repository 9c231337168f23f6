import { contains, type Database } from '@slipway/service-kit';

/** A note about a point in time of a project. Times are milliseconds since the Unix epoch. */
export interface Annotation {
  readonly id: number;
  readonly projectId: string;
  readonly content: string;
  /** The time that it is about. */
  readonly markedAt: number;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly updatedAt: number;
}

interface Row {
  id: number;
  project_id: string;
  content: string;
  marked_at: number | string;
  created_at: number | string;
  created_by: string;
  updated_at: number | string;
}

/** The annotations of a project to list. */
export interface AnnotationQuery {
  /** Inclusive limits of the time that they are about. */
  readonly after?: number;
  readonly before?: number;
  /** Text to find in the content, ignoring case. */
  readonly search?: string;
  readonly limit: number;
  readonly offset: number;
}

/** Keeps annotations in the service's database. */
export class AnnotationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns a page of annotations, those about the latest times first, and the total number
   * of matches.
   */
  async list(
    projectId: string,
    query: AnnotationQuery,
  ): Promise<{ annotations: Annotation[]; count: number }> {
    const { after, before, search, limit, offset } = query;
    const matching = this.#database
      .knex('annotations')
      .where({ project_id: projectId })
      .modify(builder => {
        if (after !== undefined) {
          builder.where('marked_at', '>=', after);
        }
        if (before !== undefined) {
          builder.where('marked_at', '<=', before);
        }
        if (search !== undefined) {
          builder.whereRaw(...contains('content', search));
        }
      });
    const rows: Row[] = await matching
      .clone()
      .orderBy([
        { column: 'marked_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(limit)
      .offset(offset);
    const counted = await matching.count({ count: '*' }).first();
    return {
      annotations: rows.map(toAnnotation),
      count: Number(counted?.count ?? 0),
    };
  }

  async find(projectId: string, id: number): Promise<Annotation | undefined> {
    const row: Row | undefined = await this.#database
      .knex('annotations')
      .where({ project_id: projectId, id })
      .first();
    return row && toAnnotation(row);
  }

  async add(annotation: Omit<Annotation, 'id'>): Promise<Annotation> {
    const [{ id }] = await this.#database.transaction(trx =>
      trx('annotations').insert(
        {
          project_id: annotation.projectId,
          content: annotation.content,
          marked_at: annotation.markedAt,
          created_at: annotation.createdAt,
          created_by: annotation.createdBy,
          updated_at: annotation.updatedAt,
        },
        ['id'],
      ),
    );
    return { ...annotation, id: Number(id) };
  }

  /** Changes parts of an annotation, if it still exists; others may change other parts at the same time. */
  async change(
    { projectId, id }: Annotation,
    changes: Partial<Pick<Annotation, 'content' | 'markedAt'>>,
    updatedAt: number,
  ): Promise<void> {
    const { content, markedAt } = changes;
    await this.#database.transaction(trx =>
      trx('annotations')
        .where({ project_id: projectId, id })
        .update({
          ...(content !== undefined && { content }),
          ...(markedAt !== undefined && { marked_at: markedAt }),
          updated_at: updatedAt,
        }),
    );
  }

  async remove({ projectId, id }: Annotation): Promise<void> {
    await this.#database.transaction(trx =>
      trx('annotations').where({ project_id: projectId, id }).delete(),
    );
  }
}

function toAnnotation(row: Row): Annotation {
  return {
    id: row.id,
    projectId: row.project_id,
    content: row.content,
    markedAt: Number(row.marked_at),
    createdAt: Number(row.created_at),
    createdBy: row.created_by,
    updatedAt: Number(row.updated_at),
  };
}
