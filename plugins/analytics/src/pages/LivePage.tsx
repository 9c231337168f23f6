import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { RiPauseLine, RiPlayLine } from '@remixicon/react';
import { Loaded, QueryTable, SavedViews } from '@slipway/app-react';
import {
  type DataColumn,
  Details,
  FilterBar,
  ListAndPanel,
  LoadingRows,
  RelativeTime,
  SidePanel,
  useUrlFilters,
  useUrlColumns,
} from '@slipway/design-system';
import { Link } from 'react-router-dom';
import type { CapturedEvent, Project } from '../api/EventsApi';
import { propertyItems } from '../people/propertyItems';
import { useProject } from '../projectQueries';
import { useCapturedEvent, useEventNames, useLiveEvents } from '../queries';
import { analyticsTranslationRef, type Translate } from '../translation';
import { ConnectGuide } from './ConnectGuide';
import { pageOf } from './displayText';
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
  const { id } = selection.values;
  const selected = useEvent(id, data);
  const close = () => selection.set('id', '');
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
          // Waits for the list, which may contain the event.
          (selected || (id !== '' && data)) && (
            <EventPanel
              id={id}
              event={selected}
              project={project}
              onClose={close}
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

/** Shows an event with all its properties, even if it is too old for the list. */
function EventPanel(props: {
  id: string;
  /** The event from the list; undefined if the list does not contain it. */
  event: CapturedEvent | undefined;
  project: Project | undefined;
  onClose(): void;
}) {
  const { id, event, project, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const query = useCapturedEvent(project?.id, event ? undefined : id);
  const shown = event ?? query.data;
  return (
    <SidePanel title={shown?.event ?? t('live.event')} onClose={onClose}>
      <Loaded
        query={event ? { ...query, data: event, error: null } : query}
        failed={t('live.eventFailed')}
        loading={<LoadingRows label={t('live.loading')} rows={4} />}
      >
        {found =>
          found ? (
            <EventDetails event={found} project={project} />
          ) : (
            <p className={styles.text}>{t('live.missing')}</p>
          )
        }
      </Loaded>
    </SidePanel>
  );
}

function EventDetails(props: {
  event: CapturedEvent;
  project: Project | undefined;
}) {
  const { event, project } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Details
      items={[
        {
          label: t('live.user'),
          value: <EventUser event={event} project={project} />,
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
        ...propertyItems(event.properties),
      ]}
    />
  );
}

/** The id of the user of an event, as a link if there is a profile that the reader may see. */
function EventUser(props: {
  event: CapturedEvent;
  project: Project | undefined;
}) {
  const { event, project } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const { distinct_id: user, properties } = event;
  if (user === null) {
    return t('live.hidden');
  }
  const hasProfile = properties.$process_person_profile !== false;
  return project && !project.hidesPeople && hasProfile ? (
    <Link
      to={`/analytics/users?${new URLSearchParams({ project: project.id, user }).toString()}`}
    >
      {user}
    </Link>
  ) : (
    user
  );
}
