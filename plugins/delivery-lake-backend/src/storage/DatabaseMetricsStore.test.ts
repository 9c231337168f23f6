import { DORA_METRICS } from '@slipway/plugin-delivery-lake-common';
import { DateTime } from 'luxon';
import { Period, previousPeriod, splitPeriod } from '../days/period';
import { expectedMetrics } from '../metrics/__testUtils__/expectedMetrics';
import { FakeDirectory } from '../metrics/__testUtils__/fakes';
import { fillLake } from '../metrics/__testUtils__/fillLake';
import { randomServices } from '../metrics/__testUtils__/randomServices';
import { RecordedService } from '../metrics/__testUtils__/records';
import { metricValues } from '../metrics/doraMetric';
import { FiguresReader } from '../metrics/FiguresReader';
import { divide, PartsReader } from '../metrics/PartsReader';
import { ServiceIds } from '../scope/ScopeResolver';
import { DatabaseMetricsStore } from './DatabaseMetricsStore';
import { DatabaseServiceStore } from './services';
import { lakeDatabases } from './__testUtils__/lakeDatabases';

const databases = lakeDatabases();

/** Queries for random histories, by time zone; each includes a clock change. */
const ZONES: Record<string, string[][]> = {
  'Europe/Berlin': [
    ['2026-03-29T00:00', '2026-03-30T00:00'],
    ['2026-03-28T00:00', '2026-04-04T00:00'],
    ['2026-03-01T00:00', '2026-05-01T00:00'],
    ['2026-02-11T07:30', '2026-04-17T19:00:00.001'],
    ['2026-03-29T01:59', '2026-03-29T03:01'],
    ['2026-03-30T00:00', '2026-03-30T00:00'],
  ],
  'America/New_York': [
    ['2026-03-08T00:00', '2026-03-09T00:00'],
    ['2026-02-01T00:00', '2026-05-01T00:00'],
    ['2026-03-07T13:00', '2026-03-09T13:00'],
  ],
  UTC: [['2026-02-01T00:00', '2026-03-01T00:00']],
};

function periodOf([start, end]: string[], zone: string): Period {
  const moment = (text: string) => DateTime.fromISO(text, { zone }).toMillis();
  return { start: moment(start), end: moment(end) };
}

/** Returns the metrics that differ from those computed from every record. */
function differences(
  figures: Parameters<typeof metricValues>[0],
  services: RecordedService[],
): unknown[] {
  const actual = metricValues(figures);
  const expected = expectedMetrics(services, figures.period);
  return DORA_METRICS.filter(
    metric =>
      actual[metric].samples !== expected[metric].samples ||
      Math.abs(actual[metric].value - expected[metric].value) > 1e-9,
  ).map(metric => ({ metric, ...actual[metric], expected: expected[metric] }));
}

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function open(timeZone: string, recorded: RecordedService[]) {
    const db = await databases.init(databaseId);
    const ids = await fillLake(db, timeZone, recorded);
    const store = new DatabaseMetricsStore(db);
    const figures = new FiguresReader({ store });
    const read = async (services: ServiceIds, periods: Period[]) =>
      figures.read(
        services,
        periods.map(period => splitPeriod(period, timeZone)),
      );
    return { db, ids, store, figures, read };
  }

  it.each(Object.entries(ZONES))(
    'counts and finds medians as looking at every record does, in %s',
    async (zone, ranges) => {
      const during = periodOf(['2026-01-20T00:00', '2026-05-05T00:00'], zone);
      const services = randomServices(during, {
        seed: 3,
        deploymentsEach: 400,
      });
      const { ids, read } = await open(zone, services);

      for (const range of ranges) {
        const period = periodOf(range, zone);
        const periods = [period, previousPeriod(period)];
        for (const figure of await read('all', periods)) {
          expect(differences(figure, services)).toEqual([]);
        }
        const some = services.slice(0, 2);
        const someIds = some.map(({ name }) => ids.get(name) ?? 0);
        for (const figure of await read(someIds, periods)) {
          expect(differences(figure, some)).toEqual([]);
        }
      }
    },
  );

  it('reads parts concurrently with the same result as one by one', async () => {
    const zone = 'Europe/Berlin';
    const period = periodOf(['2026-10-20T06:00', '2026-11-01T00:00'], zone);
    const services = randomServices(
      { start: previousPeriod(period).start, end: period.end },
      { seed: 5, deploymentsEach: 100 },
    );
    const { db, store, figures } = await open(zone, services);
    const all = await new DatabaseServiceStore(db).list();
    const parts = new PartsReader({ store, figures, timeZone: zone });
    const read = await parts.read({
      parts: divide(all, 'team', new FakeDirectory()),
      periods: [period, previousPeriod(period)],
      limit: 2,
    });

    const counts = read.map(part => part.figures[0].counts.deployments);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(read.map(({ part }) => part.entityRef)).toContain(
      'group:default/payments',
    );
    expect(read).toHaveLength(2);
    for (const { part, figures: both } of read) {
      const own = services.filter(({ team }) => team === part.entityRef);
      expect(both.flatMap(figure => differences(figure, own))).toEqual([]);
    }
  });

  it.each([
    [[5], 5],
    [[9, 1], 5],
    [[7, 1, 100], 7],
    [[4, 1, 100, 5], 4.5],
    [[1, 1_000_000], 500_000.5],
    [[0, 0, 0, 0], 0],
  ])('takes the middle of %j', async (leadTimes, median) => {
    const finishedAt = Date.UTC(2026, 0, 5, 12);
    const deployments = [
      { finishedAt, leadTimes: [...leadTimes.map(time => time * 2), null] },
    ];
    const { read } = await open('UTC', [{ name: 'one', deployments }]);
    const period = { start: finishedAt, end: finishedAt + 1 };
    const day = {
      start: Date.UTC(2026, 0, 5),
      end: Date.UTC(2026, 0, 6),
    };

    for (const scope of ['all' as const, [1]]) {
      for (const { medians, counts } of await read(scope, [period, day])) {
        expect(medians.lead).toBe(median * 2);
        expect(counts.changesUnknown).toBe(1);
      }
    }
  });

  it('recomputes only when a row of the rollups has changed', async () => {
    const finishedAt = Date.UTC(2026, 0, 5, 12);
    const { db, read } = await open('UTC', [
      { name: 'one', deployments: [{ finishedAt, leadTimes: [1, 2, 3] }] },
    ]);
    const period = { start: Date.UTC(2026, 0, 1), end: finishedAt + 60_000 };
    const lead = async () => {
      const [{ medians }] = await read([1], [period]);
      return medians.lead;
    };

    expect(await lead()).toBe(2);
    await db('durations').where({ duration: 2 }).update({ duration: 3 });
    expect(await lead()).toBe(2);
    // A day that is only partly within the period.
    await db('rollup_counts').where({ service_id: 1 }).update({ revision: 2 });
    expect(await lead()).toBe(3);
  });

  it('counts open production incidents of known services', async () => {
    const { db, store } = await open('UTC', [{ name: 'one' }, { name: 'two' }]);
    const incident = (id: number, service: number | null, more = {}) => ({
      ...{ public_id: `incident-${id}`, source: 'pager', external_id: `${id}` },
      ...{ service_id: service, environment: 'prod', title: 'Down' },
      ...{ started_at: 1, revision: 1, ...more },
    });
    await db('incidents').insert(incident(1, 1));
    await db('incidents').insert(incident(2, 1, { resolved_at: 5 }));
    await db('incidents').insert(incident(3, 2, { environment: 'dev' }));
    await db('incidents').insert(incident(4, 2));
    await db('incidents').insert(incident(5, null));

    await expect(store.openIncidents('all')).resolves.toBe(2);
    await expect(store.openIncidents([1])).resolves.toBe(1);
    await expect(store.openIncidents([])).resolves.toBe(0);
  });
});
