import { resolvePackagePath } from '@backstage/backend-plugin-api';
import { openDatabase } from '@slipway/portal-kit/database';
import type { Knex } from 'knex';

/** The phase of the demo organisation. */
export type DemoPhase = 'loading' | 'loaded' | 'removing' | 'failed';

/** The progress of the work on one part of the platform. */
export interface DemoStep {
  readonly id: string;
  readonly title: string;
  readonly status: 'waiting' | 'running' | 'done' | 'failed';
  readonly done: number;
  readonly total: number;
}

/** The state of the demo organisation. Times are in milliseconds. */
export interface DemoState {
  readonly phase: DemoPhase;
  /** Entity reference of the user who last started loading or removing it. */
  readonly startedBy: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly steps: readonly DemoStep[];
  readonly error: string | null;
}

const ID = 1;

interface StateRow {
  id: number;
  phase: string;
  started_by: string;
  started_at: number | string;
  updated_at: number | string;
  steps: string;
  error: string | null;
}

/** Stores the state of the demo organisation in the plugin's database. */
export class DatabaseDemoState {
  readonly #knex: Knex;

  constructor(knex: Knex) {
    this.#knex = knex;
  }

  /** Reads the state. @returns undefined if there is none. */
  async read(): Promise<DemoState | undefined> {
    const row = await this.#knex<StateRow>('demo_state')
      .where({ id: ID })
      .first();
    return row && toState(row);
  }

  /**
   * Records the start of work unless the state has changed since it was read.
   *
   * @param seen - the state that was read; undefined if there was none.
   * @returns false if another request was faster.
   */
  async begin(state: DemoState, seen: DemoState | undefined): Promise<boolean> {
    if (!seen) {
      const added = await this.#knex('demo_state')
        .insert({ id: ID, ...toRow(state) })
        .onConflict('id')
        .ignore()
        .returning('id');
      return added.length > 0;
    }
    const changed = await this.#knex('demo_state')
      .where({ id: ID, phase: seen.phase, updated_at: seen.updatedAt })
      .update(toRow(state));
    return changed > 0;
  }

  async write(state: DemoState): Promise<void> {
    await this.#knex('demo_state').where({ id: ID }).update(toRow(state));
  }

  async clear(): Promise<void> {
    await this.#knex('demo_state').delete();
  }
}

/** Opens the plugin's database. */
export function openDemoDatabase(
  database: Parameters<typeof openDatabase>[0]['database'],
): Promise<Knex> {
  return openDatabase({
    database,
    migrations: resolvePackagePath(
      '@slipway/plugin-demo-backend',
      'migrations',
    ),
  });
}

function toRow(state: DemoState) {
  return {
    phase: state.phase,
    started_by: state.startedBy,
    started_at: state.startedAt,
    updated_at: state.updatedAt,
    steps: JSON.stringify(state.steps),
    error: state.error,
  };
}

function toState(row: StateRow): DemoState {
  return {
    phase: row.phase as DemoPhase,
    startedBy: row.started_by,
    startedAt: Number(row.started_at),
    updatedAt: Number(row.updated_at),
    steps: JSON.parse(row.steps),
    error: row.error,
  };
}
