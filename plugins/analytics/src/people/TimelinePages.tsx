import { type ComponentProps, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded } from '@slipway/app-react';
import { Details, LoadingRows, RelativeTime } from '@slipway/design-system';
import type { Timeline, TimelineEvent } from '../api/PeopleApi';
import { pageOf } from '../pages/displayText';
import { analyticsTranslationRef } from '../translation';
import { propertyItems } from './propertyItems';
import styles from '../analytics.module.css';

type Query = ComponentProps<typeof Loaded<Timeline>>['query'];

/** Shows events page by page, latest first. */
export function TimelinePages(props: {
  query: Query;
  /** The place where the shown events begin; undefined for the latest. */
  before: string | undefined;
  onBefore(before: string | undefined): void;
}) {
  const { query, before, onBefore } = props;
  const { t } = useTranslationRef(analyticsTranslationRef);
  return (
    <section aria-label={t('people.timeline')}>
      <h3 className={styles.heading}>{t('people.timeline')}</h3>
      <Loaded
        query={query}
        failed={t('live.failed')}
        loading={<LoadingRows label={t('live.loading')} rows={4} />}
      >
        {({ events, next }) => (
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
                  onPress={() => onBefore(undefined)}
                >
                  {t('people.latest')}
                </Button>
              )}
              {next !== undefined && (
                <Button
                  size="small"
                  variant="tertiary"
                  onPress={() => onBefore(next)}
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

/** Shows an event; its properties are shown when the user opens it. */
function TimelineItem({ event }: { event: TimelineEvent }) {
  const { t } = useTranslationRef(analyticsTranslationRef);
  const [isOpen, setIsOpen] = useState(false);
  const page = pageOf(event.properties);
  return (
    <li>
      <details onToggle={toggle => setIsOpen(toggle.currentTarget.open)}>
        <summary>
          <span className={styles.timelineHead}>
            <span>
              {event.event}
              {page && <span className={styles.value}> {page}</span>}
            </span>{' '}
            <span className={styles.quiet}>
              <RelativeTime value={event.timestamp} />
            </span>
          </span>
        </summary>
        {isOpen && (
          <Details
            items={[
              { label: t('live.user'), value: event.distinct_id },
              ...propertyItems(event.properties),
            ]}
          />
        )}
      </details>
    </li>
  );
}
