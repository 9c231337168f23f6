import {
  chunksOf,
  type Database,
  type Transaction,
} from '@slipway/service-kit';
import { v5 as hashUuid } from 'uuid';
import {
  DAY_MS,
  type DefinitionKind,
  type Observed,
  VOLUME_DAYS,
} from '../Definition.ts';

/** The namespace of the uuids of definitions: the same name always has the same uuid. */
const NAMESPACE = '5f0c2f4e-6a0b-4c39-9a53-1d6a0f5f3f55';
/** Maximum number of names recorded per project, since anyone with its key can invent names. */
const MAX_NAMES = 5_000;
/** Rows per statement, of up to 11 values each. */
const CHUNK = 200;

type Identified = Observed & { readonly id: string };

/** A step of counting: the range of a journal's positions that was counted. */
interface Step {
  readonly id: string;
  /** Undefined for the first step. */
  readonly from: number | undefined;
  readonly to: number;
  readonly now: number;
}

/** Adds the names that were observed in events to the definitions, each event once. */
export class ObservedNames {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the last counted position of a journal. */
  async position(id: string): Promise<number | undefined> {
    const row = await this.#database
      .knex('definition_positions')
      .where({ journal_id: id })
      .first('position');
    return row && Number(row.position);
  }

  /** Checks whether any journal was counted. */
  async isUsed(): Promise<boolean> {
    return (
      (await this.#database.knex('definition_positions').first('position')) !==
      undefined
    );
  }

  /**
   * Adds counts and the position that they reach, in one transaction.
   * @throws if another process has counted the same positions.
   */
  async record(observed: readonly Observed[], step: Step): Promise<void> {
    await this.#database.transaction(async trx => {
      await move(trx, step);
      const first = Math.floor(step.now / DAY_MS) - VOLUME_DAYS;
      const identified = observed.map(each => ({ ...each, id: idOf(each) }));
      for (const [projectId, all] of Map.groupBy(
        identified,
        each => each.projectId,
      )) {
        const kept = await withinLimit(trx, projectId, all);
        for (const chunk of chunksOf(kept, CHUNK)) {
          await putDefinitions(trx, chunk);
          const days = chunk.flatMap(each =>
            [...each.days]
              .filter(([day, count]) => day >= first && count > 0)
              .map(([day, count]) => ({
                definition_id: each.id,
                project_id: projectId,
                day,
                count,
              })),
          );
          for (const rows of chunksOf(days, CHUNK)) {
            await trx('definition_days')
              .insert(rows)
              .onConflict(['definition_id', 'day'])
              .merge({
                count: trx.raw('definition_days.count + excluded.count'),
              });
          }
        }
      }
    });
  }
}

async function move(trx: Transaction, { id, from, to }: Step): Promise<void> {
  const moved =
    from === undefined
      ? await trx('definition_positions')
          .insert({ journal_id: id, position: to })
          .onConflict('journal_id')
          .ignore()
          .returning('journal_id')
          .then(rows => rows.length)
      : await trx('definition_positions')
          .where({ journal_id: id, position: from })
          .update({ position: to });
  if (moved === 0) {
    throw new Error('Another process has counted these events');
  }
}

/** Returns names without new ones that exceed the limit of their project. */
async function withinLimit(
  trx: Transaction,
  projectId: string,
  observed: readonly Identified[],
): Promise<Identified[]> {
  const known = new Set<string>();
  for (const chunk of chunksOf(observed, CHUNK)) {
    const rows: { id: string }[] = await trx('definitions')
      .whereIn(
        'id',
        chunk.map(({ id }) => id),
      )
      .select('id');
    rows.forEach(({ id }) => known.add(id));
  }
  const isKnown = ({ id }: Identified) => known.has(id);
  const added = observed.filter(each => !isKnown(each));
  if (added.length === 0) {
    return [...observed];
  }
  const counts: { kind: DefinitionKind; count: number | string }[] = await trx(
    'definitions',
  )
    .where({ project_id: projectId })
    .groupBy('kind')
    .select('kind')
    .count({ count: '*' });
  const left = new Map(
    counts.map(({ kind, count }) => [kind, MAX_NAMES - Number(count)]),
  );
  return [
    ...observed.filter(isKnown),
    ...added.filter(({ kind }) => {
      const room = left.get(kind) ?? MAX_NAMES;
      left.set(kind, room - 1);
      return room > 0;
    }),
  ];
}

async function putDefinitions(
  trx: Transaction,
  observed: readonly Identified[],
): Promise<void> {
  const bound = (column: string, comparison: '<' | '>') =>
    trx.raw(
      `case when excluded.${column} ${comparison} definitions.${column} then excluded.${column} else definitions.${column} end`,
    );
  await trx('definitions')
    .insert(
      observed.map(each => ({
        id: each.id,
        project_id: each.projectId,
        kind: each.kind,
        name: each.name,
        property_type: each.propertyType ?? null,
        first_seen_at: each.firstSeenAt,
        last_seen_at: each.lastSeenAt,
        description: '',
        owner: '',
        is_verified: false,
        is_hidden: false,
      })),
    )
    .onConflict('id')
    .merge({
      first_seen_at: bound('first_seen_at', '<'),
      last_seen_at: bound('last_seen_at', '>'),
      property_type: trx.raw(
        "case when definitions.property_type is null then excluded.property_type when excluded.property_type is null or excluded.property_type = definitions.property_type then definitions.property_type else 'String' end",
      ),
    });
}

function idOf({ projectId, kind, name }: Observed): string {
  return hashUuid(JSON.stringify([projectId, kind, name]), NAMESPACE);
}
