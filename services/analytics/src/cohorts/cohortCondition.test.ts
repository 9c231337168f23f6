import { meetsConditions } from './cohortCondition.ts';

it('begins a period with a day of the zone of the project', () => {
  const condition = meetsConditions(
    {
      properties: {
        type: 'AND',
        values: [
          {
            type: 'behavioral',
            key: 'bought',
            value: 'performed_event',
            time_value: 1,
            time_interval: 'week',
          },
        ],
      },
    },
    {
      projectId: 'shop',
      now: Date.parse('2026-11-20T12:30:00Z'),
      // It is already Saturday there.
      calendar: { zone: 'Pacific/Auckland', weekStart: 1 },
    },
  );
  expect(condition).toMatchObject({
    function: 'in',
    args: [
      { name: 'person' },
      {
        select: {
          from: {
            events: ['bought'],
            // The bounds are exclusive.
            after: Date.parse('2026-11-13T11:00:00Z') - 1,
            before: Date.parse('2026-11-21T11:00:00Z'),
          },
        },
      },
    ],
  });
});
