import { marksByBucket } from './changes';

it.each([
  [[10, 20, 30], 5, -1],
  [[10, 20, 30], 10, 0],
  [[10, 20, 30], 19, 0],
  [[10, 20, 30], 20, 1],
  [[10, 20, 30], 99, 2],
  [[], 5, -1],
  [['2026-11-08', '2026-11-09'], '2026-11-08 23:59:59', 0],
  [['2026-11-08 10:00:00', '2026-11-08 11:00:00'], '2026-11-08 11:00:00', 1],
] as [(string | number)[], string | number, number][])(
  'places in buckets beginning at %j the moment %j in number %d',
  (starts, at, index) => {
    const placed = marksByBucket(starts, [{ at, text: 'x' }]);
    expect(placed.findIndex(marks => marks.length > 0)).toBe(index);
    expect(placed).toHaveLength(starts.length);
  },
);
