import knexFactory, { type Knex } from 'knex';
import { Client } from 'pg';
import { PostgresServer } from './PostgresServer.ts';
import { TestDatabasePool } from './TestDatabasePool.ts';

let server: PostgresServer;
let pool: TestDatabasePool;
let key = '';
let migrated: number;

const open = () =>
  new TestDatabasePool(server.connectionString, connection =>
    knexFactory({ client: 'pg', connection, pool: { min: 0, max: 3 } }),
  );

beforeAll(async () => {
  server = await PostgresServer.start();
  // On a busy machine, initialising a server takes longer than the default.
});
afterAll(() => server.stop());

beforeEach(() => {
  pool = open();
  key += 'shop ';
  migrated = 0;
});

async function query(address: string, statements: string) {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(statements)).rows;
  } finally {
    await client.end();
  }
}

const take = () =>
  pool.take({
    key,
    async migrate(address) {
      migrated += 1;
      await query(
        address,
        `CREATE TABLE shops (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);
         CREATE TABLE orders (id serial PRIMARY KEY, shop bigint NOT NULL REFERENCES shops);
         INSERT INTO shops (name) VALUES ('first')`,
      );
    },
  });

const ORDER = 'INSERT INTO orders (shop) VALUES (1) RETURNING id';
const SHOPS = 'SELECT * FROM shops ORDER BY id';

it('returns a database with the rows and sequences of its migrations', async () => {
  const first = await take();
  await query(first.address, `UPDATE shops SET name = 'other'; ${ORDER}`);
  await query(first.address, "INSERT INTO shops (name) VALUES ('second')");
  await first.release();
  const second = await take();

  expect(second.address).toBe(first.address);
  expect(migrated).toBe(1);
  await expect(query(second.address, SHOPS)).resolves.toEqual([
    { id: '1', name: 'first' },
  ]);
  await expect(query(second.address, ORDER)).resolves.toEqual([{ id: 1 }]);
  await expect(
    query(
      second.address,
      "INSERT INTO shops (name) VALUES ('second') RETURNING id",
    ),
  ).resolves.toEqual([{ id: '2' }]);
});

it('restores large tables', async () => {
  const first = await take();
  await query(
    first.address,
    `INSERT INTO shops (name) SELECT repeat('x', 100) FROM generate_series(1, 9999)`,
  );
  await first.release();
  await expect(query((await take()).address, SHOPS)).resolves.toEqual([
    { id: '1', name: 'first' },
  ]);
});

it.each([
  'ALTER TABLE orders ADD COLUMN price int',
  'ALTER TABLE orders RENAME COLUMN shop TO place',
  'ALTER TABLE shops ALTER COLUMN name SET DEFAULT 5',
  'CREATE INDEX names ON shops (name)',
  'DROP TABLE orders',
  'CREATE TABLE more (id int)',
])('migrates again after %s', async statement => {
  const first = await take();
  await query(first.address, statement);
  await first.release();
  const second = await take();
  expect(second.address).toBe(first.address);
  expect(migrated).toBe(2);
  await expect(query(second.address, ORDER)).resolves.toEqual([{ id: 1 }]);
});

it('gives each test its own database, and each set of migrations', async () => {
  const [first, second] = await Promise.all([take(), take()]);
  expect(first.address).not.toBe(second.address);
  await Promise.all([first.release(), second.release()]);
  const other = await pool.take({ key: '' });
  expect([first.address, second.address]).not.toContain(other.address);
  await expect(query(other.address, SHOPS)).rejects.toThrow('does not exist');
});

it('copies what another process of the run has migrated', async () => {
  const first = await take();
  await query(first.address, `UPDATE shops SET name = 'other'`);
  pool = open();
  const [second, third] = await Promise.all([take(), take()]);

  expect(new Set([first, second, third].map(each => each.address)).size).toBe(
    3,
  );
  expect(migrated).toBe(1);
  await expect(query(third.address, SHOPS)).resolves.toEqual([
    { id: '1', name: 'first' },
  ]);
});

it('keeps connections for the next test, each with a knex instance of its own', async () => {
  const pidOf = async ({ knex }: { knex: Knex }) =>
    (await knex.raw('SELECT pg_backend_pid() AS pid')).rows[0].pid;
  const first = await take();
  const pid = await pidOf(first);
  await first.knex.destroy();
  await first.release();
  const second = await take();
  await expect(pidOf(second)).resolves.toBe(pid);
  expect(second.knex).not.toBe(first.knex);

  const trx = await second.knex.transaction();
  await trx.raw('LOCK TABLE orders');
  const other = await second.knex.client.acquireRawConnection();
  other.on('error', () => {});
  await second.release();
  await expect(trx.raw('SELECT 1')).rejects.toThrow();
  await expect(other.query('SELECT 1')).rejects.toThrow();
  await expect(pidOf(await take())).resolves.not.toBe(pid);
});

it('closes connections that a test has left open', async () => {
  const taken = await take();
  const left = new Client({ connectionString: taken.address });
  left.on('error', () => {});
  await left.connect();
  await left.query('BEGIN; LOCK TABLE orders');
  await taken.release();
  await expect(left.query('SELECT 1')).rejects.toThrow();
});

it('restores a database after a test that ended all of its connections', async () => {
  const first = await take();
  await query(
    first.address,
    `INSERT INTO shops (name) VALUES ('second');
     SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await first.release();
  const second = await take();
  expect([second.address, migrated]).toEqual([first.address, 1]);
  await expect(query(second.address, SHOPS)).resolves.toEqual([
    { id: '1', name: 'first' },
  ]);
});
