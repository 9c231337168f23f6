import { releaseBlocks } from './releaseBlocks.ts';

const on = (day: number, ...people: number[]) =>
  people.map(person => ({ day, person, people: 1 }));

describe('releaseBlocks', () => {
  it('closes a block on the day on which enough people stand behind it', () => {
    expect(
      releaseBlocks(
        [...on(1, 1, 2), ...on(2, 2), ...on(4, 3), ...on(5, 1, 2, 3)],
        {
          minimum: 3,
        },
      ),
    ).toEqual([
      { start: 1, end: 4 },
      { start: 5, end: 5 },
    ]);
  });

  it('keeps what is left back until more people come', () => {
    const rows = [...on(1, 1, 2, 3), ...on(2, 1, 2)];
    expect(releaseBlocks(rows, { minimum: 3 })).toEqual([{ start: 1, end: 1 }]);
    expect(releaseBlocks([...rows, ...on(9, 3)], { minimum: 3 })).toEqual([
      { start: 1, end: 1 },
      { start: 2, end: 9 },
    ]);
  });

  it('takes a count of many people for as many, and of unknown ones for none', () => {
    expect(
      releaseBlocks(
        [
          { day: 1, person: 0, people: 0 },
          { day: 2, person: 0, people: 7 },
        ],
        { minimum: 5 },
      ),
    ).toEqual([{ start: 1, end: 2 }]);
  });
});
