import { patient } from '@slipway/dev-runner/src/patience.ts';
import { readOtlpEvents } from './otlpEvents.ts';

const MEBIBYTE = 1024 * 1024;

const exportOf = (count: number, { resource = 10, scope = 10 } = {}) => ({
  resourceLogs: [
    {
      resource: {
        attributes: [
          { key: 'text', value: { stringValue: 'x'.repeat(resource) } },
        ],
      },
      scopeLogs: [
        {
          scope: { name: 'x'.repeat(scope) },
          logRecords: Array.from({ length: count }, () => ({
            eventName: 'clicked',
          })),
        },
      ],
    },
  ],
});

it('reads many records of a large scope in a short time', () => {
  const start = performance.now();
  const events = readOtlpEvents(exportOf(5_000, { scope: 2 * MEBIBYTE }));
  expect(performance.now() - start).toBeLessThan(patient(5_000));
  expect(new Set(events.map(({ uuid }) => uuid)).size).toBe(5_000);
});

it('refuses too many records, and large attributes for many records', () => {
  expect(() => readOtlpEvents(exportOf(50_001))).toThrow(
    'The request must contain 1 to 50000 events',
  );
  expect(() => readOtlpEvents(exportOf(1_000, { resource: MEBIBYTE }))).toThrow(
    'The attributes of the resources are too large',
  );
  expect(readOtlpEvents(exportOf(30, { resource: MEBIBYTE }))).toHaveLength(30);
});
