import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { AppQueries, ReadFailure, useServiceQuery } from '@slipway/app-react';
import { LoadingRows, Panel } from '@slipway/design-system';
import { appTranslationRef } from '../../translation';
import { TimelineEntry } from '../cockpit/TimelineEntry';
import { inboxApiRef } from './InboxApi';
import './HomePage.css';

/** Interval at which it is refetched while it is visible. */
const LIVE_MS = 30_000;
const ROWS = 5;

/** Shows recent events of everything that the user owns, in all parts of the platform. */
export function Activity(): JSX.Element {
  return (
    <AppQueries>
      <ActivityPanel />
    </AppQueries>
  );
}

function ActivityPanel() {
  const { t } = useTranslationRef(appTranslationRef);
  const { data, error, refetch } = useServiceQuery(
    inboxApiRef,
    ['activity'],
    inbox => inbox.activity(),
    { refetchInterval: LIVE_MS },
  );
  const items = data?.items ?? [];
  const missing = data?.missing ?? [];
  return (
    <Panel title={t('activity.title')} padded={false}>
      {!data && !error && (
        <LoadingRows label={t('activity.loading')} rows={4} />
      )}
      {!data && Boolean(error) && (
        <ReadFailure
          title={t('activity.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      {missing.length > 0 && (
        <p className="slw-TimelineNote" role="status">
          {t('inbox.missing', { parts: missing.join(', ') })}
        </p>
      )}
      {data && items.length === 0 && (
        <p className="slw-TimelineNote">{t('activity.none')}</p>
      )}
      <ol className="slw-Timeline">
        {items.slice(0, ROWS).map(item => (
          <TimelineEntry key={item.id} item={item} />
        ))}
      </ol>
    </Panel>
  );
}
