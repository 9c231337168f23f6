import type { Knex } from 'knex';
import { ServiceDirectory } from '../catalog/ServiceDirectory';
import { canonicalJson, LakeEvent } from '../events/LakeEvent';
import { namesOf } from '../events/findNewEvents';
import { PersonNames } from '../people/PersonNames';
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
 * names in events and records. The events of those deliveries stay, but a replay no longer
 * interprets them. Nothing is lost if it is interrupted; run it again to complete it.
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

interface StoredBody {
  id: number;
  body: string;
}

/** Creates a stage that processes the bodies of a table in the order of their ids. */
function stageOver(
  table: 'lake_deliveries' | 'lake_events',
  options: Options & {
    limit: number;
    process: (bodies: readonly StoredBody[], options: Options) => Promise<void>;
  },
): ReplayStage<number> {
  const { knex, limit, process } = options;
  return {
    async count() {
      const [{ count }] = await knex(table).count({ count: '*' });
      return Number(count);
    },
    async next(after) {
      const unread = knex(table).where('id', '>', after);
      const until = await endOfChunk(knex, { rows: unread.clone(), limit });
      if (until === undefined) {
        return undefined;
      }
      const rows: { id: number | string; body: string }[] = await unread
        .where('id', '<=', until)
        .orderBy('id')
        .select('id', 'body');
      const bodies = rows.map(({ id, body }) => ({ id: Number(id), body }));
      await process(bodies, options);
      return { done: bodies.length, position: until };
    },
  };
}

/**
 * Empties deliveries that name the person. Their keys stay, so that they are still known if they are
 * sent again; those without an event are deleted.
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

/** Returns the value of a body; the text itself if it is no JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Rewrites events that name the person, and folds their records again. Their digests stay, which
 * identify an event that is sent again and order events of the same time.
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
