import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { chdbTool, testEngines } from '../../__testUtils__/startAnalytics.ts';
import type { PeopleRows } from '../../people/storage/PersonStore.ts';
import type { Property } from '../../query/language/Expression.ts';
import type { ChdbOptions, ChdbRequest } from '../chdb/chdbProcess.ts';
import { LazyProcess } from '../process/LazyProcess.ts';
import { EventJournal } from '../sqlite/EventJournal.ts';
import { ClickhouseDialect } from './ClickhouseDialect.ts';
import { peopleColumns } from './clickhousePeople.ts';
import type { Dialect } from './Dialect.ts';
import { SqliteDialect } from './SqliteDialect.ts';

const NOW = Date.UTC(2026, 10, 21);
const groupTypes = ['company', "o'hara"];

const row = (properties: object) => ({
  project_id: 'shop',
  version: 1,
  created_at: NOW,
  last_seen_at: NOW,
  is_identified: true,
  times: '{}',
  properties: JSON.stringify(properties),
});
const people: PeopleRows = {
  persons: [{ ...row({ plan: 'pro', seats: 3 }), person: 'ada' }],
  ids: [
    { project_id: 'shop', version: 1, distinct_id: "an'on", person: 'ada' },
  ],
  groups: [{ ...row({ size: 40 }), type: "o'hara", key: 'acme' }],
};

const property = (name: string, as: 'text' | 'number'): Property => ({
  kind: 'property',
  path: [name],
  as,
});

const event = (distinctId: string, properties: object) => ({
  projectId: 'shop',
  uuid: randomUUID(),
  event: 'opened',
  distinctId,
  timestamp: NOW - 1,
  createdAt: NOW,
  properties: JSON.stringify(properties),
});

describe.each(testEngines)('persons and groups of events in %s', engine => {
  let directory: string;
  let journal: EventJournal;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'person-sources-'));
    journal = new EventJournal({ directory });
    journal.append([
      [
        event("an'on", { $groups: { "o'hara": 'acme' } }),
        event('ada', { plan: 'own' }),
        event('grace', {}),
      ],
    ]);
  });

  afterEach(async () => {
    journal.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function ask(write: (dialect: Dialect) => string): Promise<unknown> {
    if (engine === 'sqlite') {
      await journal.tables.putPeople(people);
      const dialect = new SqliteDialect(groupTypes);
      const sql = write(dialect);
      const database = new Database(journal.filename, { readonly: true });
      const rows = database.prepare(sql).raw().all(dialect.parameters);
      database.close();
      return rows;
    }
    const options: ChdbOptions = {
      entryPoint: chdbTool!.entryPoint,
      directory: path.join(directory, 'chdb'),
      maxThreads: 1,
      memoryBytes: 1024 ** 3,
      readers: 1,
    };
    const chdb = new LazyProcess<ChdbRequest>({
      script: new URL('../chdb/chdbProcess.ts', import.meta.url),
      options,
      idleMs: 10_000,
    });
    for (const { table, rows } of peopleColumns(people)) {
      const lines = rows.map(each => JSON.stringify(each)).join('\n');
      await chdb.ask({ kind: 'insert', table, lines }, 20_000);
    }
    const dialect = new ClickhouseDialect({
      view: { journal, boundary: 0, upTo: 3, mayBeMoved: true },
      groupTypes,
    });
    const rows = await chdb.ask({ kind: 'query', sql: write(dialect) }, 20_000);
    await chdb.close();
    return rows;
  }

  it('are joined if a query reads them', async () => {
    const rows = await ask(dialect => {
      const columns = [
        dialect.column('distinct_id'),
        dialect.column('person'),
        dialect.property({ ...property('plan', 'text'), owner: 'person' }),
        dialect.property({ ...property('seats', 'number'), owner: 'person' }),
        dialect.property({ ...property('size', 'number'), owner: 'group_1' }),
        dialect.property({ ...property('size', 'text'), owner: 'group_0' }),
        dialect.property(property('plan', 'text')),
      ];
      const source = dialect.source({ projectId: 'shop', before: NOW });
      return `SELECT ${columns
        .map((column, index) => `${column} AS c${index}`)
        .join(', ')} FROM ${source} ORDER BY c0`;
    });
    expect(rows).toEqual([
      ['ada', 'ada', 'pro', 3, null, null, 'own'],
      ["an'on", 'ada', 'pro', 3, 40, null, null],
      ['grace', 'grace', null, null, null, null, null],
    ]);
  });
});
