import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chdbTool } from '../../__testUtils__/startAnalytics.ts';
import { LazyProcess } from '../process/LazyProcess.ts';
import { DEFINITIONS, schemaOf, TABLES } from '../sql/clickhouseTables.ts';
import type { ChdbOptions, ChdbRequest } from './chdbProcess.ts';

describe.runIf(chdbTool)('a process of chDB', () => {
  let directory: string;
  let engine: LazyProcess<ChdbRequest>;

  const open = () =>
    new LazyProcess<ChdbRequest>({
      script: new URL('./chdbProcess.ts', import.meta.url),
      options: {
        entryPoint: chdbTool!.entryPoint,
        directory,
        maxThreads: 1,
        memoryBytes: 1024 ** 3,
        readers: 1,
      } satisfies ChdbOptions,
      idleMs: 60_000,
    });
  const ask = (kind: 'query' | 'statement', sql: string) =>
    engine.ask({ kind, sql }, 30_000);
  const run = (sql: string) => ask('statement', sql);

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'chdb-process-'));
    engine = open();
  });

  afterEach(async () => {
    await engine.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('returns no rows of a failed query with the next result', async () => {
    for (const kind of ['query', 'statement'] as const) {
      await expect(
        ask(kind, 'SELECT throwIf(number = 900000) FROM numbers(1000000)'),
      ).rejects.toThrow('throwIf');
      expect(await ask(kind, 'SELECT 7')).toEqual([[7]]);
    }
  });

  it('creates tables that need no statements at the next start', async () => {
    const missing = async () =>
      schemaOf(
        {},
        ((await run(DEFINITIONS)) as string[][]).map(
          ([definition]) => definition,
        ),
      );
    expect(await missing()).toEqual([]);
    expect(await run(DEFINITIONS)).toHaveLength(Object.keys(TABLES).length);

    // The table of an earlier version, with an event.
    await run(`DROP TABLE ${TABLES.events}`);
    await run(`CREATE TABLE ${TABLES.events} (
      project_id LowCardinality(String), uuid UUID, event LowCardinality(String), distinct_id String,
      timestamp DateTime64(3, 'UTC'), created_at DateTime64(3, 'UTC'), properties String CODEC(ZSTD(3)),
      texts Map(LowCardinality(String), String) CODEC(ZSTD(3)),
      numbers Map(LowCardinality(String), Float64) CODEC(ZSTD(3)))
      ENGINE = ReplacingMergeTree(created_at) PARTITION BY toYear(timestamp)
      ORDER BY (project_id, toDate(timestamp), event, cityHash64(distinct_id), cityHash64(uuid))
      SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`);
    const insert = (event: string) =>
      run(
        `INSERT INTO ${TABLES.events} (event, properties) VALUES ('${event}', '{"seats": 3}')`,
      );
    await insert('earlier');
    expect(await missing()).toHaveLength(2);

    await engine.close();
    engine = open();
    expect(await missing()).toEqual([]);
    await insert('later');
    expect(
      await run(
        `SELECT event, texts, numbers, journal, seq FROM ${TABLES.events} WHERE event = 'later'`,
      ),
    ).toEqual([['later', { seats: '3' }, { seats: 3 }, '', 0]]);
    expect(await run(`SELECT count() FROM ${TABLES.events}`)).toEqual([[2]]);
  });
});
