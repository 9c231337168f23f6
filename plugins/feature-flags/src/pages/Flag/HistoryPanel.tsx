import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { LoadingRows, Panel, RelativeTime } from '@slipway/design-system';
import type { HistoryEvent } from '../../api/types';
import { ReadFailure } from '../../components/ReadFailure';
import { useHistory } from '../../data/useFlags';
import { flagsTranslationRef } from '../../translation';
import { describeChange } from './describeChange';
import styles from './Flag.module.css';

const TITLES = {
  'feature-created': 'history.created',
  'feature-updated': 'history.updated',
  'feature-archived': 'history.archived',
  'feature-revived': 'history.revived',
} as const;

/** Who changed a flag, when, and what it was before. */
export function HistoryPanel({ name }: { name: string }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const { data, error, isPending, refetch } = useHistory(name);
  return (
    <Panel title={t('history.title')}>
      {isPending && <LoadingRows label={t('history.loading')} rows={3} />}
      {error && !data && (
        <ReadFailure
          title={t('history.failed')}
          error={error}
          onRetry={() => refetch()}
        />
      )}
      <ol className={styles.history}>
        {data?.map(event => (
          <li key={event.id}>
            <ChangeLines event={event} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function ChangeLines({ event }: { event: HistoryEvent }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const title = TITLES[event.type as keyof typeof TITLES];
  return (
    <>
      <p>
        {title ? t(title) : event.type}
        {describeChange(event).map(({ field, before, after }) => (
          <span key={field} className={styles.change}>
            {' '}
            {t('history.change', { field, before, after })}
          </span>
        ))}
      </p>
      <p className={styles.quiet}>
        {nameOf(event.createdBy)}, <RelativeTime value={event.createdAt} />
      </p>
    </>
  );
}

/** `user:default/ada` is Ada to everybody here; a token goes by its own name. */
function nameOf(author: string): string {
  return author.replace(/^user:default\//, '');
}
