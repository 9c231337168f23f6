import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import {
  type ChartPoint,
  DataTable,
  Details,
  formatAbsolute,
  formatClock,
  formatRelative,
  LoadingBlock,
  numberScale,
  Panel,
  RelativeTime,
  SeriesChart,
  Tile,
} from '@slipway/design-system';
import type { Ingestion, UnknownRequests } from '../api/EventsApi';
import { formatCount } from '../insights/valueNames';
import { useIngestion, useProject } from '../projectQueries';
import { analyticsTranslationRef } from '../translation';
import styles from '../analytics.module.css';

/** Shows how the events of a project arrive, and which are lost. */
export function HealthPage() {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { project, search } = useProject();
  return (
    <Loaded
      query={useIngestion(project?.id)}
      failed={t('health.failed')}
      loading={<LoadingBlock label={t('health.loading')} height={420} />}
    >
      {ingestion => (
        <div className={styles.stack}>
          <Tiles ingestion={ingestion} />
          <Minutes minutes={ingestion.minutes} href={`/analytics${search}`} />
          <div className={styles.tiles}>
            <Dropped ingestion={ingestion} />
            <Panel title={t('health.changed')}>
              <Details
                items={[
                  {
                    label: t('health.repeated'),
                    value: formatCount(ingestion.repeated),
                  },
                  {
                    label: t('health.repaired'),
                    value: formatCount(ingestion.repaired),
                  },
                ]}
              />
            </Panel>
            {ingestion.unknown && (
              <>
                <Unknown
                  title={t('health.unknownKeys')}
                  column={t('health.key')}
                  requests={ingestion.unknown.keys}
                />
                <Unknown
                  title={t('health.unknownPaths')}
                  column={t('health.path')}
                  requests={ingestion.unknown.paths}
                />
              </>
            )}
          </div>
        </div>
      )}
    </Loaded>
  );
}

function Tiles({ ingestion }: { ingestion: Ingestion }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { lastEventAt, received, lag, deferred, deferredLimit } = ingestion;
  return (
    <div className={styles.metrics}>
      <Tile
        label={t('health.last')}
        value={lastEventAt ? relativeTo(lastEventAt) : t('health.none')}
        isEmpty={lastEventAt === null}
      />
      <Tile label={t('health.received')} value={formatCount(received)} />
      <Tile
        label={t('health.lag')}
        value={formatCount(lag.events)}
        definition={t('health.lagHelp')}
        {...(lag.oldestAt && {
          footnote: t('health.since', { time: relativeTo(lag.oldestAt) }),
        })}
      />
      <Tile
        label={t('health.deferred')}
        value={formatCount(deferred)}
        definition={t('health.deferredHelp', {
          limit: formatCount(deferredLimit),
        })}
      />
    </div>
  );
}

function relativeTo(at: string): string {
  return formatRelative(Date.parse(at), Date.now());
}

function Minutes(props: { minutes: Ingestion['minutes']; href: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { minutes, href } = props;
  const points = minutes.map(({ at, received }): ChartPoint => ({
    id: at,
    label: formatAbsolute(Date.parse(at)),
    tick: formatClock(Date.parse(at)),
    value: received,
    valueText: formatCount(received),
    href,
  }));
  const largest = Math.max(0, ...minutes.map(({ received }) => received));
  const label = t('health.minutes');
  return (
    <Panel title={label}>
      <SeriesChart
        label={label}
        kind="bar"
        points={points}
        {...numberScale(largest, { whole: true })}
        columns={{
          time: t('live.time'),
          value: t('health.events'),
          notes: t('health.minutesNotes'),
        }}
      />
    </Panel>
  );
}

function Dropped({ ingestion: { dropped } }: { ingestion: Ingestion }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Panel title={t('health.dropped')} padded={dropped.length === 0}>
      <DataTable
        isPlain
        label={t('health.dropped')}
        rows={dropped}
        rowId={({ reason }) => reason}
        empty={<p className={styles.text}>{t('health.noneDropped')}</p>}
        columns={[
          {
            id: 'reason',
            label: t('health.reason'),
            text: ({ reason }) => t(`health.reasons.${reason}`),
            cell: ({ reason }) => t(`health.reasons.${reason}`),
          },
          {
            id: 'events',
            label: t('health.events'),
            isNumber: true,
            width: 96,
            cell: ({ events }) => formatCount(events),
          },
          {
            id: 'last',
            label: t('health.lastAt'),
            width: 128,
            cell: ({ lastAt }) => <RelativeTime value={lastAt} />,
          },
        ]}
      />
    </Panel>
  );
}

function Unknown(props: {
  title: string;
  column: string;
  requests: readonly UnknownRequests[];
}) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { title, column, requests } = props;
  return (
    <Panel title={title} padded={requests.length === 0}>
      <DataTable
        isPlain
        label={title}
        rows={requests}
        rowId={({ name }) => name}
        empty={<p className={styles.text}>{t('health.noneUnknown')}</p>}
        columns={[
          {
            id: 'name',
            label: column,
            text: ({ name }) => name,
            cell: ({ name }) => <code>{name}</code>,
          },
          {
            id: 'requests',
            label: t('health.requests'),
            isNumber: true,
            width: 96,
            cell: each => formatCount(each.requests),
          },
          {
            id: 'last',
            label: t('health.lastAt'),
            width: 128,
            cell: ({ lastAt }) => <RelativeTime value={lastAt} />,
          },
        ]}
      />
    </Panel>
  );
}
