import { TrafficMeter } from './IdeProxy';

/** Traffic as pairs of seconds since the start and bytes. */
type Traffic = [second: number, bytes: number][];

/** Returns the seconds at which the traffic counted as use. */
function usesOf(traffic: Traffic): number[] {
  const uses: number[] = [];
  let second = 0;
  const meter = new TrafficMeter({
    now: () => second * 1000,
    onUse: () => uses.push(second),
  });
  for (const [at, bytes] of traffic) {
    second = at;
    meter.add(bytes);
  }
  return uses;
}

/** Returns `times` messages of `bytes` each, one every `seconds` seconds. */
function every(seconds: number, times: number, bytes: number): Traffic {
  return Array.from({ length: times }, (_, index) => [index * seconds, bytes]);
}

function together(...parts: Traffic[]): Traffic {
  return parts.flat().sort(([one], [other]) => one - other);
}

describe('TrafficMeter', () => {
  it.each([
    ['compressed', 10, 19, 44],
    // A frame from a browser has a header of 6 bytes on top of its content.
    ['not compressed', 19, 44, 69],
  ])(
    'takes the busier connection of an open tab for unused all day, %s',
    (_form, keepAlive, ping, other) => {
      const minute = together(
        every(5, 12, keepAlive),
        every(2, 5, ping),
        every(40, 2, other),
      );
      const day = Array.from({ length: 24 * 60 }, (_, index) =>
        minute.map(([at, bytes]): Traffic[number] => [at + index * 60, bytes]),
      ).flat();
      expect(usesOf(day)).toEqual([]);
    },
  );

  it('notices a command in the terminal', () => {
    const command: Traffic = [
      [60, 41],
      [60.2, 20],
      [60.4, 50],
      [60.5, 85],
    ];
    expect(usesOf(together(every(5, 12, 10), command))).toEqual([60.5]);
  });

  it('notices typing without a pause again and again', () => {
    const uses = usesOf(every(0.3, 100, 43));
    expect(uses.length).toBeGreaterThan(10);
    expect(uses[0]).toBeLessThan(2);
  });

  it('notices a single large message', () => {
    expect(usesOf([[5, 449]])).toEqual([5]);
  });
});
