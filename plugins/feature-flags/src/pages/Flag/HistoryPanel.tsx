import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { ReadFailure } from '@slipway/app-react';
import { LoadingRows, Panel, RelativeTime } from '@slipway/design-system';
import type { HistoryEvent } from '../../api/types';
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

const TOKEN = 'token:';

/** The history of a flag: who changed it, when, and what it was before. */
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
  const { user, token } = readAuthor(event.createdBy);
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
        {token === undefined ? user : t('history.token', { name: token })},{' '}
        <RelativeTime value={event.createdAt} />
      </p>
    </>
  );
}

/** Reads who made a change: `user:default/ada` is ada to everybody here, `token:ci` a token. */
function readAuthor(author: string): { user: string; token?: string } {
  return author.startsWith(TOKEN)
    ? { user: author, token: author.slice(TOKEN.length) }
    : { user: author.replace(/^user:default\//, '') };
}
