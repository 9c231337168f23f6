import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import {
  Details,
  LoadingRows,
  RelativeTime,
  SidePanel,
} from '@slipway/design-system';
import type { Person, TimelineEvent } from '../api/PeopleApi';
import { cellText, pageOf } from '../pages/eventText';
import { usePerson, useTimeline } from '../peopleQueries';
import { analyticsTranslationRef } from '../translation';
import { DeletePersonDialog } from './DeletePersonDialog';
import { personName } from './personName';
import styles from '../analytics.module.css';

/** Shows a person with properties and events. */
export function PersonPanel(props: {
  projectId: string;
  distinctId: string;
  mayDelete: boolean;
  onClose(): void;
}) {
  const { projectId, distinctId, mayDelete, onClose } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isDeleting, setIsDeleting] = useState(false);
  const query = usePerson(projectId, distinctId);
  return (
    <SidePanel
      title={query.data ? personName(query.data) : distinctId}
      onClose={onClose}
    >
      <Loaded
        query={query}
        failed={t('people.personFailed')}
        loading={<LoadingRows label={t('people.loading')} rows={4} />}
      >
        {person => (
          <div className={styles.stack}>
            <Profile person={person} />
            <PersonTimeline
              key={person.id}
              projectId={projectId}
              distinctId={person.id}
            />
            {mayDelete && (
              <div>
                <Button
                  size="small"
                  variant="secondary"
                  destructive
                  onPress={() => setIsDeleting(true)}
                >
                  {t('people.delete')}
                </Button>
              </div>
            )}
            {isDeleting && (
              <DeletePersonDialog
                projectId={projectId}
                person={person}
                onDeleted={onClose}
                onClose={() => setIsDeleting(false)}
              />
            )}
          </div>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Profile({ person }: { person: Person }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <Details
      items={[
        {
          label: t('people.firstSeen'),
          value: <RelativeTime value={person.created_at} />,
        },
        {
          label: t('people.lastSeen'),
          value: <RelativeTime value={person.last_seen_at} />,
        },
        {
          label: t('people.ids'),
          value: (
            <span className={styles.value}>
              {person.distinct_ids.join(', ')}
            </span>
          ),
        },
        ...Object.entries(person.properties).map(([name, value]) => ({
          label: name,
          value: <span className={styles.value}>{cellText(value)}</span>,
        })),
      ]}
    />
  );
}

/** Shows the latest events of a person, page by page. */
function PersonTimeline(props: { projectId: string; distinctId: string }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [before, setBefore] = useState<string>();
  const query = useTimeline(props.projectId, props.distinctId, before);
  return (
    <section aria-label={t('people.timeline')}>
      <h3 className={styles.heading}>{t('people.timeline')}</h3>
      <Loaded
        query={query}
        failed={t('live.failed')}
        loading={<LoadingRows label={t('live.loading')} rows={4} />}
      >
        {({ events, has_more: hasMore }) => (
          <>
            <ol className={styles.timeline}>
              {events.map(event => (
                <TimelineItem key={event.uuid} event={event} />
              ))}
            </ol>
            {events.length === 0 && <p>{t('people.noEvents')}</p>}
            <div className={styles.actions}>
              {before !== undefined && (
                <Button
                  size="small"
                  variant="tertiary"
                  onPress={() => setBefore(undefined)}
                >
                  {t('people.latest')}
                </Button>
              )}
              {hasMore && (
                <Button
                  size="small"
                  variant="tertiary"
                  onPress={() => setBefore(events.at(-1)?.timestamp)}
                >
                  {t('people.earlier')}
                </Button>
              )}
            </div>
          </>
        )}
      </Loaded>
    </section>
  );
}

function TimelineItem({ event }: { event: TimelineEvent }) {
  const page = pageOf(event.properties);
  return (
    <li>
      <span>{event.event}</span>
      {page && <span className={styles.value}> {page}</span>}{' '}
      <RelativeTime value={event.timestamp} />
    </li>
  );
}
