import { hiddenDays } from './hiddenDays.ts';

it('is what the shown days leave', () => {
  const period = { start: 10, end: 20 };
  const shown = [
    { team: 'red', from: 15, to: 17 },
    { team: 'red', from: 10, to: 12 },
    { team: 'blue', from: 10, to: 19 },
  ];
  expect(
    hiddenDays(shown, { teams: ['red', 'blue', 'green'], period }),
  ).toEqual([
    { team: 'red', from: 13, to: 14 },
    { team: 'red', from: 18, to: 19 },
    { team: 'green', from: 10, to: 19 },
  ]);
});
