import type { LogSection } from '../api/BuildsApi';
import { LogRows, MAX_ROWS } from './LogRows';

const sections: LogSection[] = [
  { step: null, lines: 1, groups: [] },
  {
    step: 0,
    lines: 8,
    groups: [
      { title: 'Install', from: 1, to: 3 },
      { title: 'Run', from: 5, to: null },
    ],
  },
];

const wordsOf = (rows: LogRows) =>
  Array.from({ length: rows.count }, (_, index) => {
    const row = rows.at(index);
    return row.kind === 'line' ? `${row.section}:${row.line}` : row.kind;
  });

it('shows the heads of steps, and the lines of those that are open', () => {
  const rows = new LogRows(sections, {
    isSectionOpen: section => section === 1,
    isGroupOpen: ({ line }) => line === 5,
  });
  expect(wordsOf(rows)).toEqual([
    'section',
    'section',
    '1:0',
    'group',
    '1:4',
    'group',
    '1:6',
    '1:7',
  ]);
  expect(rows.indexOf({ section: 1, line: 4 })).toBe(4);
  expect(rows.indexOf({ section: 1, line: 7 })).toBe(7);
  // The line is in a folded group: returns the group's header.
  expect(rows.indexOf({ section: 1, line: 2 })).toBe(3);
  expect(rows.indexOf({ section: 0, line: 0 })).toBe(0);
  // The section itself.
  expect(rows.indexOf({ section: 1, line: -1 })).toBe(1);
});

it('omits rows beyond the browser limit, except the line that was searched for', () => {
  const long = [{ step: 0, lines: 3 * MAX_ROWS, groups: [] }];
  const open = { isSectionOpen: () => true, isGroupOpen: () => true };
  const rows = new LogRows(long, open);
  expect(rows.count).toBe(MAX_ROWS + 2);
  expect(rows.at(1)).toEqual({
    kind: 'omitted',
    section: 0,
    lines: 2 * MAX_ROWS,
  });
  expect(rows.at(rows.count - 1)).toMatchObject({ line: 3 * MAX_ROWS - 1 });
  const focus = { section: 0, line: 7 };
  const sought = new LogRows(long, { ...open, focus });
  expect(sought.at(sought.indexOf(focus)!)).toMatchObject({ line: 7 });
});
