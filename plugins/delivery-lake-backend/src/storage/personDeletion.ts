import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { canonicalJson, LakeEvent } from '../events/LakeEvent';
import { namesOf } from '../events/findNewEvents';
import { type LoginField, PersonNames } from '../people/PersonNames';
import { BatchSql, endOfChunk } from './BatchSql';
import { ingestTransaction } from './DatabaseIngestStore';
import { refold, type ReplayStage } from './replayStages';

const DELIVERIES_AT_ONCE = 50;
const EVENTS_AT_ONCE = 500;

const BODY_COLUMNS = { id: 'bigint', body: 'text' } as const;

interface Options {
  knex: Knex;
  directory: ServiceDirectory;
  person: PersonNames;
}

/**
 * Deletes the names of a person from the lake: the bodies of deliveries that contain them, and the
 * names in events and records. The events of those deliveries are kept, but a replay no longer
 * interprets the deliveries. An interrupted deletion loses nothing; run it again to complete it.
 *
 * @returns the stages, in order.
 */
export function deletePerson(options: Options): ReplayStage<number>[] {
  return [
    stageOver('lake_deliveries', {
      ...options,
      limit: DELIVERIES_AT_ONCE,
      process: emptyDeliveries,
    }),
    stageOver('lake_events', {
      ...options,
      limit: EVENTS_AT_ONCE,
      process: rewriteEvents,
    }),
  ];
}

type LakeTable = 'lake_deliveries' | 'lake_events';

interface StoredBody {
  id: number;
  body: string;
}

/** Some bodies of a table, and the position after them. */
interface Chunk {
  bodies: StoredBody[];
  position: number;
}

/** Creates a stage that processes the bodies of a table in the order of their ids. */
function stageOver(
  table: LakeTable,
  options: Options & {
    limit: number;
    process: (bodies: readonly StoredBody[], options: Options) => Promise<void>;
  },
): ReplayStage<number> {
  const { knex, limit, process } = options;
  return {
    count: () => countOf(knex, table),
    async next(after) {
      const chunk = await readChunk(knex, { table, after, limit });
      if (!chunk) {
        return undefined;
      }
      const { bodies, position } = chunk;
      await process(bodies, options);
      return { done: bodies.length, position };
    },
  };
}

async function countOf(knex: Knex, table: LakeTable): Promise<number> {
  const [{ count }] = await knex(table).count({ count: '*' });
  return Number(count);
}

/** Reads the next bodies that fit in memory together; undefined at the end. */
async function readChunk(
  knex: Knex,
  { table, after, limit }: { table: LakeTable; after: number; limit: number },
): Promise<Chunk | undefined> {
  const unread = knex(table).where('id', '>', after);
  const position = await endOfChunk(knex, { rows: unread.clone(), limit });
  if (position === undefined) {
    return undefined;
  }
  const rows: { id: number | string; body: string }[] = await unread
    .where('id', '<=', position)
    .orderBy('id')
    .select('id', 'body');
  const bodies = rows.map(({ id, body }) => ({ id: Number(id), body }));
  return { bodies, position };
}

/** Time, in milliseconds, after which a preview stops reading deliveries. */
const PREVIEW_MS = 5_000;
/** Maximum number of fields that a part lists, because senders choose the keys in a body. */
const MAX_FIELDS = 100;

/** The effects that {@link deletePerson} would have on one part of the deliveries. */
export interface DeletionPreview {
  /** The position after which the next part begins; null at the end. */
  position: number | null;
  /** The number of deliveries in this part; `total` counts all in the lake. */
  read: number;
  total: number;
  /** The number of these that would be emptied. */
  deliveries: number;
  /** The number of these that contain a full name, an address, or a login that must mean a user. */
  named: number;
  /** The fields whose whole text is a login, with the number of deliveries for each. */
  fields: (LoginField & { deliveries: number })[];
}

/** Counts, for a few seconds, the deliveries after a position that a deletion would empty. */
export async function previewDeletion(
  { knex, person }: Pick<Options, 'knex' | 'person'>,
  { after, forMs = PREVIEW_MS }: { after: number; forMs?: number },
): Promise<DeletionPreview> {
  const table = 'lake_deliveries';
  const limit = DELIVERIES_AT_ONCE;
  const fields = new Map<string, LoginField & { deliveries: number }>();
  const counts = { read: 0, deliveries: 0, named: 0 };
  const until = performance.now() + forMs;
  let position: number | null = after;
  do {
    // SQLite runs queries synchronously: without this, other work would wait until the end.
    await yieldToOthers();
    const read = { table, after: position, limit } as const;
    const chunk: Chunk | undefined = await readChunk(knex, read);
    position = chunk?.position ?? null;
    for (const { body } of chunk?.bodies ?? []) {
      const found = person.usesIn(parsed(body));
      counts.read += 1;
      counts.named += found.isNamed ? 1 : 0;
      counts.deliveries += found.isNamed || found.fields.length > 0 ? 1 : 0;
      for (const { login, field } of found.fields) {
        const key = `${login} ${field}`;
        const known = fields.get(key);
        if (known) {
          known.deliveries += 1;
        } else if (fields.size < MAX_FIELDS) {
          fields.set(key, { login, field, deliveries: 1 });
        }
      }
    }
  } while (position !== null && performance.now() < until);
  const total = await countOf(knex, table);
  return { position, total, ...counts, fields: [...fields.values()] };
}

/**
 * Empties deliveries that name the person. Their keys are kept, so that they are recognised if they
 * are sent again; deliveries without an event are deleted.
 */
async function emptyDeliveries(
  deliveries: readonly StoredBody[],
  { knex, person }: Options,
): Promise<void> {
  const ids = deliveries
    .filter(({ body }) => person.isIn(parsed(body)))
    .map(({ id }) => id);
  if (ids.length === 0) {
    return;
  }
  await ingestTransaction(knex, async tx => {
    await tx('lake_events')
      .whereIn('delivery_id', ids)
      .update({ delivery_id: null });
    const found = () => tx('lake_deliveries').whereIn('id', ids);
    await found()
      .where({ outcome: 'accepted' })
      .update({ outcome: 'emptied', body: '', context: '{}' });
    await found().whereNot({ outcome: 'emptied' }).delete();
  });
}

/** Returns the parsed body; the text itself if it is not JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Rewrites events that name the person, and folds their records again. Keeps their digests, which
 * identify an event that is sent again and determine the order of events with the same time.
 */
async function rewriteEvents(
  bodies: readonly StoredBody[],
  { knex, directory, person }: Options,
): Promise<void> {
  const changed = bodies.flatMap(({ id, body }) => {
    const event: LakeEvent = person.removeFrom(JSON.parse(body));
    const text = canonicalJson(event);
    return text === body ? [] : [{ id, event, body: text, digest: '' }];
  });
  if (changed.length === 0) {
    return;
  }
  await ingestTransaction(knex, async tx => {
    const sql = new BatchSql(tx);
    await sql.execute(
      `UPDATE lake_events SET body = r.body
       FROM ${sql.batch('r', BODY_COLUMNS)} WHERE lake_events.id = r.id`,
      changed.map(({ id, body }) => ({ id, body })),
    );
    await refold({ sql, directory, names: namesOf(changed) });
  });
}
