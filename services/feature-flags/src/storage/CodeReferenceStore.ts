import { chunksOf, type Database } from '@slipway/service-kit';
import type { CodeReference, CodeScan } from '../model/CodeReference.ts';

/** Rows in one statement, within the limits of both databases. */
const CHUNK = 150;

interface Row {
  repository: string;
  commit: string;
  scanned_at: number | string;
  flag_name: string;
  path: string;
  line: number;
  text: string;
}

/** Stores the lines of code in repositories that name flags. */
export class CodeReferenceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Replaces the references of a repository with those of a newer scan. */
  async replace(scan: CodeScan): Promise<void> {
    const { repository, commit, scannedBy, scannedAt, references } = scan;
    await this.#database.transaction(async trx => {
      await trx('code_scans')
        .insert({
          repository,
          commit,
          created_by: scannedBy,
          scanned_at: scannedAt,
        })
        .onConflict('repository')
        .merge();
      await trx('code_references').where({ repository }).delete();
      for (const chunk of chunksOf(references, CHUNK)) {
        await trx('code_references').insert(
          chunk.map(({ flag, path, line, text }) => ({
            repository,
            flag_name: flag,
            path,
            line,
            text,
          })),
        );
      }
    });
  }

  /** Lists the references to a flag by repository, path and line. */
  async list(flag: string): Promise<CodeReference[]> {
    const rows: Row[] = await this.#database
      .knex('code_references')
      .join('code_scans', 'code_scans.repository', 'code_references.repository')
      .where({ flag_name: flag })
      .orderBy(['code_references.repository', 'path', 'line'])
      .select(
        'code_references.repository',
        'commit',
        'scanned_at',
        'flag_name',
        'path',
        'line',
        'text',
      );
    return rows.map(row => ({
      repository: row.repository,
      commit: row.commit,
      scannedAt: Number(row.scanned_at),
      flag: row.flag_name,
      path: row.path,
      line: row.line,
      text: row.text,
    }));
  }

  /** Counts the references to each flag that has any; undefined if nothing was ever scanned. */
  async counts(): Promise<ReadonlyMap<string, number> | undefined> {
    const { knex } = this.#database;
    if (!(await knex('code_scans').first('repository'))) {
      return undefined;
    }
    const rows: { flag_name: string; total: number | string }[] = await knex(
      'code_references',
    )
      .groupBy('flag_name')
      .select('flag_name')
      .count({ total: '*' });
    return new Map(rows.map(row => [row.flag_name, Number(row.total)]));
  }
}
