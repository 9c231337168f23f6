import type { Database } from '@slipway/service-kit';

/** When a flag was last evaluated in an environment. */
export interface LastUse {
  readonly flag: string;
  readonly environment: string;
  /** The start of the hour; milliseconds since the Unix epoch. */
  readonly at: number;
}

/** Lists when each flag was last evaluated in each environment, as far back as usage is stored. */
export async function readLastUses({ knex }: Database): Promise<LastUse[]> {
  const rows: {
    flag_name: string;
    environment: string;
    at: number | string;
  }[] = await knex('usage')
    .where({ span: 'hour' })
    .groupBy('flag_name', 'environment')
    .select('flag_name', 'environment')
    .max({ at: 'starts_at' });
  return rows.map(({ flag_name, environment, at }) => ({
    flag: flag_name,
    environment,
    at: Number(at),
  }));
}
