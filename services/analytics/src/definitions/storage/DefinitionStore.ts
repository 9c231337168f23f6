import { contains, type Database } from '@slipway/service-kit';
import {
  DAY_MS,
  type Definition,
  type DefinitionKind,
  type DefinitionNotes,
  type DefinitionQuery,
  type PropertyType,
  VOLUME_DAYS,
} from '../Definition.ts';

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

/** Keeps the definitions of events and properties in the service's database. */
export class DefinitionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
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
      void matching.whereRaw(...contains('d.name', search));
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

  /** Changes some notes of a definition; other notes may be changed at the same time. */
  async annotate(
    id: string,
    notes: Partial<DefinitionNotes>,
    changed: { at: number; by: string },
  ): Promise<void> {
    const { description, owner, isVerified, isHidden } = notes;
    await this.#database.transaction(trx =>
      trx('definitions')
        .where({ id })
        .update({
          ...(description !== undefined && { description }),
          ...(owner !== undefined && { owner }),
          ...(isVerified !== undefined && { is_verified: isVerified }),
          ...(isHidden !== undefined && { is_hidden: isHidden }),
          changed_at: changed.at,
          changed_by: changed.by,
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

  /** Deletes the counts of days that are too old for any volume. */
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
