import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiPauseLine, RiPlayLine } from '@remixicon/react';
import { QueryTable, SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  Details,
  FilterBar,
  ListAndPanel,
  RelativeTime,
  SidePanel,
  useUrlFilters,
  useUrlColumns,
} from '@slipway/design-system';
import type { CapturedEvent, Project } from '../api/EventsApi';
import { useProject } from '../projectQueries';
import { useEventNames, useLiveEvents } from '../queries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import { cellText, pageOf } from './displayText';
import styles from '../analytics.module.css';

/** Shows events as they arrive, and the full details of one next to the list. */
export function LivePage() {
  const { project } = useProject();
  // Reset the open event when the project changes.
  return <LiveEvents key={project?.id} project={project} />;
}

function LiveEvents({ project }: { project: Project | undefined }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const filters = useUrlFilters({ event: '' });
  const selection = useUrlFilters({ id: '' }, { addsHistory: true });
  const [isPaused, setIsPaused] = useState(false);
  const { event } = filters.values;
  const names = useEventNames(project?.id);
  const query = useLiveEvents(project?.id, {
    event,
    isPaused,
  });
  const { data } = query;
  const selected = useEvent(selection.values.id, data);
  return (
    <>
      <FilterBar
        filters={filters}
        selects={[
          {
            key: 'event',
            label: t('live.event'),
            anyLabel: t('live.anyEvent'),
            options: [
              ...new Set([...(names.data ?? []), ...(event ? [event] : [])]),
            ].map(name => ({
              value: name,
              label: name,
            })),
          },
        ]}
        count={
          data && {
            shown: data.length,
            total: data.length,
            noun: [t('live.nounOne'), t('live.nounMany')],
          }
        }
      >
        <Button
          size="small"
          variant="secondary"
          iconStart={
            isPaused ? <RiPlayLine size={16} /> : <RiPauseLine size={16} />
          }
          onPress={() => setIsPaused(!isPaused)}
        >
          {t(isPaused ? 'live.goOn' : 'live.pause')}
        </Button>
        <SavedViews list="events" />
      </FilterBar>
      <ListAndPanel
        panel={
          selected && (
            <EventPanel
              event={selected}
              onClose={() => selection.set('id', '')}
            />
          )
        }
      >
        <QueryTable
          tellsOutdated
          label={t('live.title')}
          query={query}
          rowsOf={events => events}
          rowId={({ uuid }) => uuid}
          selectedId={selected?.uuid}
          onOpen={uuid => selection.set('id', uuid)}
          columns={columnsOf(t)}
          columnChoice={useUrlColumns()}
          exportAs="events"
          loading={t('live.loading')}
          failed={t('live.failed')}
          empty={
            event ? <p role="status">{t('live.none')}</p> : <ConnectGuide />
          }
        />
      </ListAndPanel>
    </>
  );
}

/** Returns the event with an id; keeps it when newer ones have displaced it from the list. */
function useEvent(
  id: string,
  events: readonly CapturedEvent[] | undefined,
): CapturedEvent | undefined {
  const [kept, setKept] = useState<CapturedEvent>();
  const listed = events?.find(({ uuid }) => uuid === id);
  if (listed && listed !== kept) {
    setKept(listed);
  }
  return listed ?? (kept?.uuid === id ? kept : undefined);
}

function columnsOf(t: Translate): DataColumn<CapturedEvent>[] {
  return [
    {
      id: 'event',
      label: t('live.event'),
      text: ({ event }) => event,
      cell: ({ event }) => event,
    },
    {
      id: 'user',
      label: t('live.user'),
      from: 'sm',
      csv: ({ distinct_id }) => distinct_id,
      cell: ({ distinct_id }) => distinct_id ?? t('live.hidden'),
    },
    {
      id: 'page',
      label: t('live.page'),
      from: 'sm',
      csv: ({ properties }) => pageOf(properties),
      cell: ({ properties }) => pageOf(properties),
    },
    {
      id: 'time',
      label: t('live.time'),
      csv: ({ timestamp }) => timestamp,
      cell: ({ timestamp }) => <RelativeTime value={timestamp} />,
    },
  ];
}

/** Shows an event with all its properties. */
function EventPanel(props: { event: CapturedEvent; onClose(): void }) {
  const { event, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <SidePanel title={event.event} onClose={onClose}>
      <Details
        items={[
          {
            label: t('live.user'),
            value: event.distinct_id ?? t('live.hidden'),
          },
          {
            label: t('live.time'),
            value: <RelativeTime value={event.timestamp} />,
          },
          {
            label: t('live.arrived'),
            value: <RelativeTime value={event.created_at} />,
          },
          { label: t('live.id'), value: event.uuid },
          ...Object.entries(event.properties).map(([name, value]) => ({
            label: name,
            value: <span className={styles.value}>{cellText(value)}</span>,
          })),
        ]}
      />
    </SidePanel>
  );
}
