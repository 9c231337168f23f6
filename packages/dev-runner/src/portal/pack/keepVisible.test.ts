import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfigSchema } from '@backstage/config-loader';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepVisible } from './keepVisible.ts';

const text = { type: 'string' };
const shown = { ...text, visibility: 'frontend' };
const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  ...rest,
});

const SCHEMAS = [
  object({
    app: object(
      { title: shown, secret: { ...text, visibility: 'secret' } },
      { required: ['title', 'secret'] },
    ),
    backend: object({ listen: text }, { required: ['listen'] }),
    pages: { type: 'object', deepVisibility: 'frontend' },
  }),
  object({
    app: object({
      users: { type: 'array', items: object({ name: shown, key: text }) },
      either: { anyOf: [object({ on: shown }), object({ off: text })] },
    }),
  }),
  object({ database: object({ password: text }) }),
];

const CONFIGURATION = {
  app: {
    title: 'Slipway',
    secret: 'a secret',
    users: [{ name: 'ada', key: 'a key' }],
    either: { on: 'yes', off: 'no' },
  },
  backend: { listen: ':7007' },
  database: { password: 'a password' },
  pages: { home: { order: 1 } },
};

let dist: string;
let file: string;

beforeEach(() => {
  dist = mkdtempSync(path.join(tmpdir(), 'visible-'));
  file = path.join(dist, '.config-schema.json');
  writeSchemas(SCHEMAS);
});

afterEach(() => rmSync(dist, { recursive: true }));

function writeSchemas(values: object[]) {
  const schemas = values.map((value, index) => ({ path: `${index}`, value }));
  writeFileSync(
    file,
    JSON.stringify({ schemas, backstageConfigSchemaVersion: 1 }),
  );
}

/** Filters a configuration as the backend does for pages. */
async function seenByPages(configuration: object) {
  const schema = await loadConfigSchema({
    serialized: JSON.parse(readFileSync(file, 'utf8')),
  });
  const [{ data }] = schema.process(
    [{ data: configuration as {}, context: 'app' }],
    { visibility: ['frontend'], withDeprecatedKeys: true },
  );
  return data;
}

it('keeps what pages see of the configuration', async () => {
  const before = await seenByPages(CONFIGURATION);
  keepVisible(dist);

  expect(await seenByPages(CONFIGURATION)).toEqual(before);
  expect(before).toEqual({
    app: { title: 'Slipway', users: [{ name: 'ada' }], either: { on: 'yes' } },
    pages: { home: { order: 1 } },
  });
});

it('keeps the checks of visible values', async () => {
  keepVisible(dist);

  await expect(seenByPages({ app: { title: ['a', 'b'] } })).rejects.toThrow(
    'Config must be string { type=string } at /app/title',
  );
  await expect(seenByPages({ app: { secret: 'one' } })).rejects.toThrow(
    "must have required property 'title'",
  );
});

it('hides values that one schema declares from the open visibility of another', async () => {
  const open = { additionalProperties: shown };
  writeSchemas([
    object({ links: { type: 'object', ...open } }),
    object({
      links: object({ token: { ...text, visibility: 'secret' }, key: text }),
    }),
  ]);
  const links = { docs: '/docs', token: 'a secret', key: 'a key' };
  const before = await seenByPages({ links });
  keepVisible(dist);

  expect(await seenByPages({ links })).toEqual(before);
  expect(before).toEqual({ links: { docs: '/docs' } });
});

it('accepts the properties that it leaves out', async () => {
  writeSchemas([
    object({ shop: { type: 'object', visibility: 'frontend' } }),
    object({
      shop: object(
        { title: shown, stock: object({}) },
        { additionalProperties: false },
      ),
      names: object(
        { title: shown, first: text },
        { additionalProperties: { type: 'object' } },
      ),
    }),
  ]);
  const configuration = {
    shop: { title: 'Shop', stock: {} },
    names: { title: 'Names', first: 'Ada', others: {} },
  };
  const before = await seenByPages(configuration);
  keepVisible(dist);

  expect(await seenByPages(configuration)).toEqual(before);
});

it('removes schemas of values that no page sees', () => {
  keepVisible(dist);

  const kept = readFileSync(file, 'utf8');
  expect(kept).not.toMatch(/secret|listen|password/);
});
