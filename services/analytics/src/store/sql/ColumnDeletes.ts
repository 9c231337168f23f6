import { setTimeout as sleep } from 'node:timers/promises';
import { chunksOf } from '@slipway/service-kit';
import type { Cell } from '../../query/language/Expression.ts';
import {
  DATABASE,
  onCluster,
  storageOf,
  systemTable,
  type TableLayout,
  TABLES,
} from './clickhouseTables.ts';
import { clickhouseInstant, clickhouseValue } from './clickhouseValue.ts';

/** Runs a statement; resolves with the rows of its result. */
type Ask = (sql: string) => Promise<Cell[][]>;

const LOOK_MS = 200;
/** Maximum ids per statement: engines limit the length of statements. */
const IDS_AT_ONCE = 2_000;
const NUMBERS = 'SETTINGS output_format_json_quote_64bit_integers = 0';

/**
 * Deletes rows of a column store. The engine rewrites the parts that contain them when it
 * has no other work, and continues at its next start if it is stopped. A method resolves
 * once no file contains the rows any more, or once its signal aborts; it rejects if the
 * engine fails, e.g. on a full disk.
 */
export class ColumnDeletes {
  readonly #ask: Ask;
  readonly #layout: TableLayout;
  readonly #cleans: boolean;

  /**
   * @param options.cleans - true if the engine only deletes the files of rewritten parts
   *   when {@link cleanParts} makes it look for them.
   */
  constructor(options: { ask: Ask; layout?: TableLayout; cleans?: boolean }) {
    this.#ask = options.ask;
    this.#layout = options.layout ?? {};
    this.#cleans = options.cleans ?? false;
  }

  /** Deletes the events of one project, or of all projects, that happened before a time. */
  async before(
    before: number,
    signal: AbortSignal,
    projectId?: string,
  ): Promise<void> {
    const conditions = [
      `timestamp < ${clickhouseInstant(before)}`,
      ...(projectId === undefined ? [] : [ofProject(projectId)]),
    ];
    await this.#delete(TABLES.events, conditions.join(' AND '), signal);
    await this.#partsGone(signal);
  }

  /** Deletes all rows of a project. */
  async project(projectId: string, signal: AbortSignal): Promise<void> {
    for (const table of Object.values(TABLES)) {
      await this.#delete(table, ofProject(projectId), signal);
    }
    await this.#partsGone(signal);
  }

  /** Deletes all rows of some of a project's ids. */
  async ids(
    projectId: string,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const some of chunksOf(ids, IDS_AT_ONCE)) {
      for (const { table, condition } of rowsOf(projectId, some)) {
        await this.#delete(table, condition, signal);
      }
    }
    await this.#partsGone(signal);
  }

  /** Deletes the properties of a group. */
  async group(
    projectId: string,
    { type, key }: { type: string; key: string },
    signal: AbortSignal,
  ): Promise<void> {
    const conditions = [
      ofProject(projectId),
      `type = ${clickhouseValue(type)}`,
      `key = ${clickhouseValue(key)}`,
    ];
    await this.#delete(TABLES.groups, conditions.join(' AND '), signal);
    await this.#partsGone(signal);
  }

  async #delete(
    table: string,
    condition: string,
    signal: AbortSignal,
  ): Promise<void> {
    const layout = this.#layout;
    await this.#ask(
      `ALTER TABLE ${storageOf(table, layout)}${onCluster(
        layout,
      )} DELETE WHERE ${condition} SETTINGS mutations_sync = 0`,
    );
    // Polling also prevents the engine from being stopped as idle.
    await repeat(signal, async () => {
      const [[left, fault]] = await this.#ask(
        `SELECT count(), max(latest_fail_reason) FROM ${systemTable(
          'mutations',
          layout,
        )} WHERE database = '${DATABASE}' AND NOT is_done ${NUMBERS}`,
      );
      if (fault) {
        throw new Error(`The engine cannot delete events: ${fault}`);
      }
      return left === 0;
    });
  }

  async #partsGone(signal: AbortSignal): Promise<void> {
    await repeat(signal, async () => {
      if (this.#cleans) {
        await cleanParts(this.#ask);
      }
      const [[left]] = await this.#ask(
        `SELECT count() FROM ${systemTable(
          'parts',
          this.#layout,
        )} WHERE database = '${DATABASE}' AND NOT active ${NUMBERS}`,
      );
      return left === 0;
    });
  }
}

/**
 * Deletes the files of rewritten parts, which chDB never does automatically: it looks for them when
 * a partition is dropped, even a nonexistent one.
 */
export async function cleanParts(ask: Ask): Promise<void> {
  for (const table of Object.values(TABLES)) {
    await ask(`ALTER TABLE ${table} DROP PARTITION ID '1900'`);
  }
}

function ofProject(projectId: string): string {
  return `project_id = ${clickhouseValue(projectId)}`;
}

/** Returns the condition for the rows of some ids of a project. */
function rowsOf(
  projectId: string,
  ids: readonly string[],
): { table: string; condition: string }[] {
  const project = ofProject(projectId);
  const among = (column: string) =>
    `${column} IN (${ids.map(id => clickhouseValue(id)).join(', ')})`;
  return [
    {
      table: TABLES.events,
      condition: `${project} AND ${among('distinct_id')}`,
    },
    { table: TABLES.persons, condition: `${project} AND ${among('person')}` },
    {
      table: TABLES.personIds,
      condition: `${project} AND (${among('distinct_id')} OR ${among(
        'person',
      )})`,
    },
  ];
}

async function repeat(
  signal: AbortSignal,
  isDone: () => Promise<boolean>,
): Promise<void> {
  while (!(await isDone()) && !signal.aborted) {
    await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
