import { formatCursor, parseCursor } from './pages';

it('survives a round trip through a URL', () => {
  const cursor = { after: { moment: 1_795_000_000_123, rowId: 42 }, total: 7 };
  const text = formatCursor(cursor);
  expect(encodeURIComponent(text)).toBe(text);
  expect(parseCursor(text)).toEqual(cursor);
});

it.each([
  'nonsense',
  '',
  'bnVsbA',
  ...[
    [1, 2],
    [1, -2, 3],
    ['1', 2, 3],
    [1.5, 2, 3],
  ].map(content => Buffer.from(JSON.stringify(content)).toString('base64url')),
])('refuses %j', text => {
  expect(() => parseCursor(text)).toThrow(/^cursor: /);
});
