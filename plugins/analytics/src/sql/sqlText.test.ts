import {
  EXAMPLES,
  placeIn,
  propertyInSql,
  sqlQueryOf,
  takesFilters,
} from './sqlText';

describe('placeIn', () => {
  const text = 'SELECT event\nFROM persons';

  it.each([
    ["reads from 'persons' (at character 19: 'persons')", 18, 2, 6],
    ["query.query needs SELECT (at character 1: 'INSERT')", 0, 1, 1],
    ["query.query cannot be parsed at character 13, at '\n'", 12, 1, 13],
    ["query.query needs ')' (at its end)", 25, 2, 13],
  ])('finds the place in %j', (message, at, line, column) => {
    expect(placeIn(message, text)).toEqual({ at, line, column });
  });

  it('finds none in other messages', () => {
    expect(placeIn('The query needs too much memory', text)).toBeUndefined();
  });
});

describe('sqlQueryOf', () => {
  it('fills the placeholder for filters, and only that', () => {
    const options = { filterTestAccounts: true };
    expect(sqlQueryOf('SELECT 1 FROM events', options)).toEqual({
      kind: 'HogQLQuery',
      query: 'SELECT 1 FROM events',
    });
    expect(
      sqlQueryOf('SELECT 1 FROM events WHERE { filters }', options).filters,
    ).toEqual(options);
  });

  it('keeps what a program saved with a text that is edited', () => {
    const saved = {
      kind: 'HogQLQuery' as const,
      query: 'a {filters}',
      values: { n: 1 },
      filters: { dateRange: { date_from: '-7d' } },
    };
    expect(
      sqlQueryOf('b {filters}', { saved, filterTestAccounts: true }),
    ).toEqual({
      ...saved,
      query: 'b {filters}',
      filters: { ...saved.filters, filterTestAccounts: true },
    });
  });
});

it('quotes the names of properties where necessary', () => {
  expect(propertyInSql('$browser')).toBe('properties.$browser');
  expect(propertyInSql("it's", 'person.')).toBe("person.properties['it\\'s']");
});

it('has examples that name no placeholder', () => {
  expect(Object.values(EXAMPLES).filter(takesFilters)).toEqual([]);
});
