import type { Expression } from '../../query/language/Expression.ts';
import type { EventJournal } from '../sqlite/EventJournal.ts';
import { ClickhouseDialect } from './ClickhouseDialect.ts';
import { compilePlan } from './compilePlan.ts';

const property = (
  name: string,
  rest: { as: 'text' | 'number'; owner?: 'person' | 'group_0' },
): Expression => ({ kind: 'property', path: [name], ...rest });

const ALL = ['properties', 'texts', 'numbers'] as const;

/** Returns the wide columns that a query for a property or column reads from events in the journal. */
function columnsReadFor(read: Expression): string[] {
  const journal = { id: 'j', filename: '/j.sqlite' } as EventJournal;
  const statement = compilePlan(
    {
      projectId: 'shop',
      select: {
        kind: 'select',
        from: { kind: 'events', projectId: 'shop' },
        columns: [read],
        where: [],
      },
    },
    new ClickhouseDialect({
      view: { journal, boundary: 0, upTo: 9, mayBeMoved: true },
      groupTypes: ['company'],
    }),
  );
  const [, waiting] = /UNION ALL (.*) FROM \(SELECT \* FROM sqlite/.exec(
    statement,
  )!;
  return ALL.filter(name => waiting.includes(` AS ${name}`));
}

it.each<[string, Expression, string[]]>([
  ['a time', { kind: 'column', name: 'timestamp' }, []],
  ['all properties', { kind: 'column', name: 'properties' }, ['properties']],
  ['a text', property('plan', { as: 'text' }), ['texts']],
  ['a number', property('seats', { as: 'number' }), ['numbers']],
  [
    'a number within an object',
    { kind: 'property', path: ['cart', 'total'], as: 'number' },
    ['texts'],
  ],
  ['a group', { kind: 'column', name: 'group_0' }, ['texts']],
  [
    "a number of an event's group",
    property('size', { as: 'number', owner: 'group_0' }),
    ['texts'],
  ],
  [
    "a number of an event's person",
    property('age', { as: 'number', owner: 'person' }),
    [],
  ],
])('a query of %s reads only its columns of properties', (_, read, columns) => {
  expect(columnsReadFor(read)).toEqual(columns);
});
