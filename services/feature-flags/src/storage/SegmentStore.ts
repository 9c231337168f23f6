import type { Database } from '@slipway/service-kit';
import type { Knex } from 'knex';
import type { Segment, Strategy } from '../model/Flag.ts';
import { writeHistory } from './History.ts';
import { lockRevision, raiseRevision } from './revisions.ts';

interface SegmentRow {
  id: number;
  name: string;
  description: string;
  project: string | null;
  constraints: string;
  created_by: string;
  created_at: number | string;
  revision: number | string;
}

/** The editable fields of a segment. */
export type SegmentSettings = Pick<
  Segment,
  'name' | 'description' | 'project' | 'constraints'
>;

/** A strategy that uses a segment. */
export interface SegmentUse {
  /** The id of the strategy. */
  readonly id: string;
  readonly projectId: string;
  readonly featureName: string;
  readonly strategyName: string;
  readonly environment: string;
}

/** One transaction over segments, isolated from other writers of flags and segments. */
export interface SegmentTransaction {
  /** Lists the segments by id. */
  list(): Promise<Segment[]>;
  find(id: number): Promise<Segment | undefined>;
  findNamed(name: string): Promise<Segment | undefined>;
  /** Lists the strategies of flags in use that use it. */
  uses(id: number): Promise<SegmentUse[]>;
  insert(settings: SegmentSettings): Promise<Segment>;
  update(before: Segment, settings: SegmentSettings): Promise<Segment>;
  /** Deletes a segment. Its id is not reused, so strategies that still use it match no one. */
  remove(segment: Segment): Promise<void>;
}

/** Stores segments in the service's database. */
export class SegmentStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Lists the segments by id. */
  list(): Promise<Segment[]> {
    return listSegments(this.#database.knex);
  }

  find(id: number): Promise<Segment | undefined> {
    return findSegment(this.#database.knex, { id });
  }

  uses(id: number): Promise<SegmentUse[]> {
    return findUses(this.#database.knex, id);
  }

  /**
   * Runs `work` in a transaction, which is rolled back if it throws.
   *
   * @param options.by - the author of the changes.
   */
  transaction<T>(
    options: { by: string; now: number },
    work: (trx: SegmentTransaction) => Promise<T>,
  ): Promise<T> {
    const { client } = this.#database;
    return this.#database.transaction(async trx => {
      await lockRevision(trx, { subject: 'flags', client });
      return work(segmentTransaction(trx, options));
    });
  }
}

/** Reads and writes segments in a transaction that has locked the revision. */
export function segmentTransaction(
  trx: Knex.Transaction,
  { by, now }: { by: string; now: number },
): SegmentTransaction {
  const tell = (type: string, before?: Segment, after?: Segment) =>
    writeHistory(trx, {
      type,
      subject: `segment:${(after ?? before)?.id}`,
      environment: null,
      createdBy: by,
      createdAt: now,
      before: before && settingsOf(before),
      after: after && settingsOf(after),
    });
  return {
    list: () => listSegments(trx),
    find: id => findSegment(trx, { id }),
    findNamed: name => findSegment(trx, { name }),
    uses: id => findUses(trx, id),
    async insert(settings) {
      const revision = await raiseRevision(trx, 'flags');
      const [row] = await trx<SegmentRow>('segments')
        .insert({
          ...columnsOf(settings),
          created_by: by,
          created_at: now,
          revision,
        })
        .returning('*');
      const segment = toSegment(row);
      await tell('segment-created', undefined, segment);
      return segment;
    },
    async update(before, settings) {
      const revision = await raiseRevision(trx, 'flags');
      await trx('segments')
        .where({ id: before.id })
        .update({ ...columnsOf(settings), revision });
      const after = { ...before, ...settings, revision };
      await tell('segment-updated', before, after);
      return after;
    },
    async remove(segment) {
      const revision = await raiseRevision(trx, 'flags');
      await trx('segments').where({ id: segment.id }).update({
        name: null,
        constraints: '[]',
        deleted_at: now,
        revision,
      });
      await tell('segment-deleted', segment);
    },
  };
}

async function listSegments(knex: Knex): Promise<Segment[]> {
  const rows = await knex<SegmentRow>('segments')
    .whereNull('deleted_at')
    .orderBy('id')
    .select();
  return rows.map(toSegment);
}

async function findSegment(
  knex: Knex,
  by: { id: number } | { name: string },
): Promise<Segment | undefined> {
  const row = await knex<SegmentRow>('segments')
    .where(by)
    .whereNull('deleted_at')
    .first();
  return row && toSegment(row);
}

interface UseRow {
  name: string;
  project: string;
  environment: string;
  strategies: string;
}

async function findUses(knex: Knex, id: number): Promise<SegmentUse[]> {
  const rows: UseRow[] = await knex('flag_environments as own')
    .join('flags', 'flags.name', 'own.flag_name')
    .whereNull('flags.archived_at')
    .where('own.strategies', 'like', '%"segments":[%')
    .orderBy(['flags.name', 'own.environment'])
    .select('flags.name', 'project', 'environment', 'strategies');
  return rows.flatMap(({ name, project, environment, strategies }) =>
    (JSON.parse(strategies) as Strategy[])
      .filter(({ segments }) => segments?.includes(id))
      .map(strategy => ({
        id: strategy.id,
        projectId: project,
        featureName: name,
        strategyName: strategy.name,
        environment,
      })),
  );
}

function columnsOf({
  name,
  description,
  project,
  constraints,
}: SegmentSettings) {
  const text = JSON.stringify(constraints);
  return { name, description, project, constraints: text };
}

function settingsOf(segment: Segment): SegmentSettings {
  const { name, description, project, constraints } = segment;
  return { name, description, project, constraints };
}

function toSegment(row: SegmentRow): Segment {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: row.project,
    constraints: JSON.parse(row.constraints),
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    revision: Number(row.revision),
  };
}
