import { BatchSql } from '../sql/BatchSql';

const COLUMNS = {
  service_id: 'integer',
  since: 'bigint',
  repository_id: 'integer',
  position: 'bigint',
} as const;

interface Mark {
  service_id: number;
  since: number | null;
  repository_id: number | null;
  position: number | null;
}

/**
 * What a transaction leaves to be derived again, the earliest of each service.
 * Only ever appended: whoever derives removes the marks that it saw.
 */
export class DirtyMarks {
  readonly #since = new Map<number, number>();
  readonly #positions = new Map<string, Mark>();

  /** From a moment on; nothing to do where there is none. */
  since(serviceId: number | null, moment: number | null): void {
    if (serviceId !== null && moment !== null) {
      const known = this.#since.get(serviceId) ?? moment;
      this.#since.set(serviceId, Math.min(known, moment));
    }
  }

  /** From the first deployment on whose head is at this position or later. */
  from(serviceId: number, repositoryId: number, position: number): void {
    const key = `${serviceId} ${repositoryId}`;
    const known = this.#positions.get(key)?.position ?? position;
    this.#positions.set(key, {
      service_id: serviceId,
      since: null,
      repository_id: repositoryId,
      position: Math.min(known, position),
    });
  }

  /** Appends them. @returns whether there were any. */
  async write(sql: BatchSql): Promise<boolean> {
    const rows: Mark[] = [...this.#since].map(([service_id, since]) => ({
      service_id,
      since,
      repository_id: null,
      position: null,
    }));
    rows.push(...this.#positions.values());
    await sql.insert({ table: 'dirty_marks', columns: COLUMNS, rows });
    return rows.length > 0;
  }
}
