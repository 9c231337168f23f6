import type { Database } from '@slipway/service-kit';
import { v5 as hashUuid } from 'uuid';
import {
  DAY_MS,
  type Definition,
  type DefinitionKind,
  type DefinitionQuery,
  type Observed,
  type PropertyType,
  VOLUME_DAYS,
} from '../Definition.ts';

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];

/** Makes the ids of definitions: the same name always has the same. */
const NAMESPACE = '5f0c2f4e-6a0b-4c39-9a53-1d6a0f5f3f55';
/** Further names of a project are not recorded, since anybody with its key can invent them. */
const MAX_NAMES = 5_000;
const PORTION = 200;

const COLUMNS = {
  name: 'd.name',
  firstSeenAt: 'd.first_seen_at',
  lastSeenAt: 'd.last_seen_at',
  volume: 'volume',
} as const;

interface Row {
  id: string;
  project_id: string;
  kind: DefinitionKind;
  name: string;
  property_type: PropertyType | null;
  first_seen_at: number | string;
  last_seen_at: number | string;
  description: string;
  owner: string;
  is_verified: number | boolean;
  is_hidden: number | boolean;
  changed_at: number | string | null;
  changed_by: string | null;
  volume: number | string | null;
}

type Identified = Observed & { readonly id: string };

/** A step of counting: which positions of which journal were counted. */
interface Step {
  readonly id: string;
  /** Undefined for the first step. */
  readonly from: number | undefined;
  readonly to: number;
  readonly now: number;
}

/** Keeps the definitions of events and properties in the service's database. */
export class DefinitionStore {
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
        for (const portion of portions(kept)) {
          await putDefinitions(trx, portion);
          const days = portion.flatMap(each =>
            [...each.days]
              .filter(([day, count]) => day >= first && count > 0)
              .map(([day, count]) => ({
                definition_id: each.id,
                project_id: projectId,
                day,
                count,
              })),
          );
          for (const rows of portions(days)) {
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

  /** Lists definitions of a project, and counts all that match. */
  async list(
    projectId: string,
    query: DefinitionQuery,
    now: number,
  ): Promise<{ definitions: Definition[]; count: number }> {
    const { kind, search, withHidden, order, limit, offset } = query;
    const { knex } = this.#database;
    const matching = knex('definitions as d').where({
      'd.project_id': projectId,
      'd.kind': kind,
    });
    if (!withHidden) {
      void matching.where({ 'd.is_hidden': false });
    }
    if (search) {
      const escaped = search.toLowerCase().replace(/[\\%_]/g, '\\$&');
      void matching.whereRaw("lower(d.name) like ? escape '\\'", [
        `%${escaped}%`,
      ]);
    }
    const [rows, total]: [Row[], { count?: number | string } | undefined] =
      await Promise.all([
        this.#withVolume(matching.clone(), projectId, now)
          .orderBy([
            {
              column: COLUMNS[order.by],
              order: order.descending ? 'desc' : 'asc',
            },
            { column: 'd.name' },
          ])
          .limit(limit)
          .offset(offset),
        matching.clone().count({ count: '*' }).first(),
      ]);
    return {
      definitions: rows.map(toDefinition),
      count: Number(total?.count ?? 0),
    };
  }

  async find(
    projectId: string,
    id: string,
    now: number,
  ): Promise<Definition | undefined> {
    const one = this.#database
      .knex('definitions as d')
      .where({ 'd.project_id': projectId, 'd.id': id });
    const row: Row | undefined = await this.#withVolume(
      one,
      projectId,
      now,
    ).first();
    return row && toDefinition(row);
  }

  /** Writes the notes of a definition. */
  async annotate(definition: Definition): Promise<void> {
    const {
      id,
      description,
      owner,
      isVerified,
      isHidden,
      changedAt,
      changedBy,
    } = definition;
    await this.#database.transaction(trx =>
      trx('definitions').where({ id }).update({
        description,
        owner,
        is_verified: isVerified,
        is_hidden: isHidden,
        changed_at: changedAt,
        changed_by: changedBy,
      }),
    );
  }

  /** Deletes a definition with its counts. */
  async remove(id: string): Promise<void> {
    await this.#database.transaction(async trx => {
      await trx('definition_days').where({ definition_id: id }).delete();
      await trx('definitions').where({ id }).delete();
    });
  }

  /** Deletes the counts of days that no volume includes. */
  async purge(now: number): Promise<void> {
    const first = Math.floor(now / DAY_MS) - VOLUME_DAYS;
    await this.#database.transaction(trx =>
      trx('definition_days').where('day', '<', first).delete(),
    );
  }

  #withVolume(
    query: ReturnType<Database['knex']>,
    projectId: string,
    now: number,
  ) {
    const { knex } = this.#database;
    const volumes = knex('definition_days')
      .where({ project_id: projectId })
      .where('day', '>', Math.floor(now / DAY_MS) - VOLUME_DAYS)
      .groupBy('definition_id')
      .select('definition_id')
      .sum({ total: 'count' })
      .as('v');
    return query
      .leftJoin(volumes, 'v.definition_id', 'd.id')
      .select('d.*', knex.raw('coalesce(v.total, 0) as volume'));
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

/** Leaves out new names beyond the limit of a project. */
async function withinLimit(
  trx: Transaction,
  projectId: string,
  observed: readonly Identified[],
): Promise<Identified[]> {
  const known = new Set<string>();
  for (const portion of portions(observed)) {
    const rows: { id: string }[] = await trx('definitions')
      .whereIn(
        'id',
        portion.map(({ id }) => id),
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

function* portions<T>(all: readonly T[]): Iterable<T[]> {
  for (let first = 0; first < all.length; first += PORTION) {
    yield all.slice(first, first + PORTION);
  }
}

function toDefinition(row: Row): Definition {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    name: row.name,
    ...(row.property_type !== null && { propertyType: row.property_type }),
    firstSeenAt: Number(row.first_seen_at),
    lastSeenAt: Number(row.last_seen_at),
    description: row.description,
    owner: row.owner,
    isVerified: Boolean(row.is_verified),
    isHidden: Boolean(row.is_hidden),
    volume: Number(row.volume ?? 0),
    ...(row.changed_at !== null && { changedAt: Number(row.changed_at) }),
    ...(row.changed_by !== null && { changedBy: row.changed_by }),
  };
}
