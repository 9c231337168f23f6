import { chunksOf, type Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Stage } from '../model/Lifecycle.ts';
import type { Span } from './UsageStore.ts';

interface Row {
  flag_name: string;
  stage: Stage;
  entered_at: number | string;
}

const CHUNK = 200;

/** Stores when flags entered the stages that depend on usage or on being marked as stale. */
export class StageStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Records the stages that flags have entered according to the usage since a time, by minute or hour. */
  async record({ span, from }: { span: Span; from: number }): Promise<void> {
    await this.#database.transaction(trx => recordStages(trx, { span, from }));
  }

  /** Reads when flags, or one flag if it is named, entered their stages, by flag. */
  async entered(flag?: string): Promise<Map<string, Map<Stage, number>>> {
    const query = this.#database.knex<Row>('flag_stages');
    const rows: Row[] = await (flag === undefined
      ? query
      : query.where({ flag_name: flag }));
    const entered = new Map<string, Map<Stage, number>>();
    for (const { flag_name: name, stage, entered_at: at } of rows) {
      const stages = entered.get(name) ?? new Map<Stage, number>();
      entered.set(name, stages.set(stage, Number(at)));
    }
    return entered;
  }
}

/** Records the stages that flags have entered by usage, in a transaction. */
export async function recordStages(
  trx: Knex.Transaction,
  { span, from }: { span: Span; from: number },
): Promise<void> {
  for (const stage of ['pre-live', 'live'] as const) {
    const rows: { flag_name: string; entered_at: number | string }[] =
      await trx('usage')
        .leftJoin('environments', 'environments.name', 'usage.environment')
        .leftJoin('flag_stages as known', join =>
          join
            .on('known.flag_name', 'usage.flag_name')
            .andOnVal('known.stage', stage),
        )
        .leftJoin('flag_stages as restored', join =>
          join
            .on('restored.flag_name', 'usage.flag_name')
            .andOnVal('restored.stage', 'initial'),
        )
        .where('usage.span', span)
        .where('usage.starts_at', '>=', from)
        .whereNull('known.flag_name')
        .where(query =>
          query
            .whereNull('restored.entered_at')
            .orWhere('usage.starts_at', '>=', trx.ref('restored.entered_at')),
        )
        .where(query =>
          stage === 'live'
            ? query
                .where('environments.type', 'production')
                .where('usage.yes', '>', 0)
            : query
                .whereNot('environments.type', 'production')
                .orWhereNull('environments.type')
                .orWhere('usage.yes', 0),
        )
        .groupBy('usage.flag_name')
        .select('usage.flag_name')
        .min({ entered_at: 'usage.starts_at' });
    for (const chunk of chunksOf(rows, CHUNK)) {
      await trx('flag_stages')
        .insert(chunk.map(row => ({ ...row, stage })))
        .onConflict(['flag_name', 'stage'])
        .ignore();
    }
  }
}

/** A change of a flag that affects its stage. */
export type StageChange = 'completed' | 'incomplete' | 'restored';

/** Records that a flag was marked stale, or no longer is; a restored flag starts over. */
export async function followStages(
  trx: Knex.Transaction,
  change: { name: string; at: number; becomes: StageChange },
): Promise<void> {
  const { name: flag_name, at: entered_at, becomes } = change;
  const enter = (stage: Stage) =>
    trx('flag_stages')
      .insert({ flag_name, stage, entered_at })
      .onConflict(['flag_name', 'stage'])
      .merge();
  if (becomes === 'restored') {
    await trx('flag_stages').where({ flag_name }).delete();
    await enter('initial');
  } else if (becomes === 'completed') {
    await enter('completed');
  } else {
    await trx('flag_stages').where({ flag_name, stage: 'completed' }).delete();
  }
}
