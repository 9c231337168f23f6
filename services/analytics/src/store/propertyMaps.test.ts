import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openStore } from '../__testUtils__/openStore.ts';
import { chdbTool } from '../__testUtils__/startAnalytics.ts';
import type { AnalyticsEvent } from '../events/AnalyticsEvent.ts';
import { planEventsQuery } from '../query/planEventsQuery.ts';
import { mapsOf } from './propertyMaps.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const COUNT = 3_000;

/** Values that JavaScript and the engine may write differently. */
const oddNumber = fc.constantFrom(
  1e21,
  1e-7,
  1e20,
  123456789012345680000,
  -0,
  0.000001,
  1 / 3,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1.5e300,
  5e-324,
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
  fc.constantFrom(
    ...['null', '3', '-1', 'true', '"', '\\', '/a/b', '\t\n\r\b\f', '\u2028'],
  ),
);
const scalar = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  oddNumber,
  fc.boolean(),
  fc.constant(null),
);
// V8's JSON.parse reads a name that is one escaped character as a backslash.
// Names without U+0000 are compared, so that no two become equal.
const name = text
  .map(each => each.replaceAll('\0', ''))
  .filter(each => !/^["\\\b\f\n\r\t]$/.test(each));
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(name, fc.oneof(scalar, fc.array(scalar)), { maxKeys: 3 }),
);

describe.runIf(chdbTool)('properties in chDB', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'property-maps-'));
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it.each(['the journal', 'the columns'])(
    'are the same in %s, whether the engine reads their JSON or gets them read',
    async where => {
      const events: AnalyticsEvent[] = fc.sample(value, COUNT).map(each => ({
        projectId: 'shop',
        uuid: randomUUID(),
        event: 'a\tb\\n\n',
        distinctId: 'ada\\',
        timestamp: NOW - 1,
        createdAt: NOW,
        // U+0000 is not valid text, and never reaches the store.
        properties: JSON.stringify({ k: each, 'ü"/': 1 }).replaceAll(
          '\\u0000',
          '',
        ),
      }));
      // Many events take each of the two ways.
      const plain = events.filter(
        ({ properties }) => mapsOf(properties) === undefined,
      ).length;
      expect(plain).toBeGreaterThan(COUNT / 4);
      expect(plain).toBeLessThan(COUNT);

      const store = openStore('chdb', directory);
      await store.append(events);
      if (where === 'the columns') {
        await store.moveMany(1);
      }
      const { rows } = await store.query(
        planEventsQuery(
          {
            kind: 'EventsQuery',
            select: [
              'uuid',
              'event',
              'distinct_id',
              'properties.k',
              `properties['ü"/']`,
              'max(properties.k)',
            ],
            limit: 50_000,
          },
          { projectId: 'shop', now: NOW },
        ),
      );
      await store.close();
      const found = new Map(rows.map(([uuid, ...rest]) => [uuid, rest]));
      for (const event of events) {
        const { k } = JSON.parse(event.properties) as { k: unknown };
        const asText = typeof k === 'string' ? k : JSON.stringify(k);
        expect([event.properties, found.get(event.uuid)]).toEqual([
          event.properties,
          [
            event.event,
            event.distinctId,
            k === null ? null : asText,
            '1',
            typeof k === 'number' ? k : null,
          ],
        ]);
      }
    },
  );
});
