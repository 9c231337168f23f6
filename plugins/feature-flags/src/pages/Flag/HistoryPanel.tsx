import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Loaded } from '@slipway/app-react';
import { LoadingRows, Panel, RelativeTime } from '@slipway/design-system';
import type { HistoryEvent, Strategy } from '../../api/FlagsApi';
import { useHistory } from '../../queries';
import { flagsTranslationRef } from '../../translation';
import { strategyText } from './strategies';
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
  return (
    <Panel title={t('history.title')}>
      <Loaded
        query={useHistory(name)}
        failed={t('history.failed')}
        loading={<LoadingRows label={t('history.loading')} rows={3} />}
      >
        {events => (
          <ol className={styles.history}>
            {events.map(event => (
              <li key={event.id}>
                <ChangeLines event={event} />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
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
        {event.environment && `${event.environment}, `}
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

/** One field that is another than before. */
interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** What an event changed, field by field; nothing for what was created. */
function describeChange({ preData, data }: HistoryEvent): FieldChange[] {
  if (!preData || !data) {
    return [];
  }
  const fields = new Set([...Object.keys(preData), ...Object.keys(data)]);
  return [...fields]
    .map(field => ({
      field,
      before: textOf(preData[field]),
      after: textOf(data[field]),
    }))
    .filter(({ before, after }) => before !== after);
}

/** Words a value as briefly as all of it allows: whatever changed is to be seen. */
function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') {
    return '–';
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? '–' : value.map(elementText).join('; ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function elementText(element: unknown): string {
  const { name, parameters, weight } = (element ?? {}) as {
    name?: unknown;
    parameters?: unknown;
    weight?: unknown;
  };
  if (typeof name === 'string' && typeof parameters === 'object') {
    return strategyText(element as Strategy);
  }
  return typeof name === 'string' && typeof weight === 'number'
    ? `${name} ${weight}`
    : JSON.stringify(element);
}
