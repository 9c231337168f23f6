import { useEffect, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button } from '@backstage/ui';
import { Loaded, useErrorWords } from '@slipway/app-react';
import {
  ConfirmDialog,
  formatAbsolute,
  LoadingRows,
  Panel,
  RelativeTime,
} from '@slipway/design-system';
import type { FlagName } from '../../api/flags';
import { HISTORY_PAGE, type HistoryEvent } from '../../api/history';
import { describeChange } from '../../components/describeChange';
import { personName } from '../../components/people';
import { ChangeRequestSent } from '../../components/ChangeRequestList';
import { useHistory, useRollBack } from '../../queries/changes';
import { useMayChange } from '../../queries/access';
import { useSegmentNames } from '../../queries/registers';
import { flagsTranslationRef } from '../../translation';
import styles from './Flag.module.css';

const TITLES = {
  'feature-created': 'history.created',
  'feature-updated': 'history.updated',
  'feature-archived': 'history.archived',
  'feature-revived': 'history.revived',
  'change-request-created': 'history.requestCreated',
  'change-request-updated': 'history.requestUpdated',
  'change-request-approved': 'history.requestApproved',
  'change-request-scheduled': 'history.requestScheduled',
  'change-request-applied': 'history.requestApplied',
  'change-request-rejected': 'history.requestRejected',
  'change-request-cancelled': 'history.requestCancelled',
  'change-request-commented': 'history.requestCommented',
  'schedule-created': 'history.scheduleCreated',
  'schedule-paused': 'history.schedulePaused',
  'schedule-resumed': 'history.scheduleResumed',
  'schedule-cancelled': 'history.scheduleCancelled',
  'schedule-done': 'history.scheduleDone',
  'schedule-failed': 'history.scheduleFailed',
} as const;

/** Changes that can be rolled back; a creation has no state before. */
const UNDOABLE: ReadonlySet<string> = new Set([
  'feature-updated',
  'feature-archived',
  'feature-revived',
]);

/** The history of a flag, with its authors and the values before; changes can be rolled back. */
export function HistoryPanel({ flag }: { flag: FlagName }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const errorWords = useErrorWords();
  const [undone, setUndone] = useState<HistoryEvent>();
  const { mutateAsync, data: request } = useRollBack();
  return (
    <Panel title={t('history.title')}>
      <div className={styles.stack}>
        {request && <ChangeRequestSent request={request} />}
        <HistoryPage flag={flag} onUndo={setUndone} />
      </div>
      <ConfirmDialog
        isOpen={undone !== undefined}
        onOpenChange={isOpen => !isOpen && setUndone(undefined)}
        title={t('history.undoTitle')}
        confirmLabel={t('history.undoConfirm')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          if (undone) {
            await mutateAsync(undone.id);
          }
        }}
      >
        <div className={styles.stack}>
          <span>{t('history.undoText')}</span>
          {undone && <ChangeLines event={undone} />}
        </div>
      </ConfirmDialog>
    </Panel>
  );
}

/** A page of the history, followed by the older pages that the user has loaded. */
function HistoryPage(props: {
  flag: FlagName;
  /** The id of the last event on the previous page, whose button loaded this one. */
  before?: number;
  onUndo(event: HistoryEvent): void;
}) {
  const { flag, before, onUndo } = props;
  const { t } = useTranslationRef(flagsTranslationRef);
  const mayChange = useMayChange(flag.project);
  const [isFollowed, setIsFollowed] = useState(false);
  const query = useHistory(flag.name, before);
  const first = useRef<HTMLLIElement>(null);
  const isAsked = before !== undefined;
  const isLoaded = query.data !== undefined;
  useEffect(() => {
    // The button that loaded this page is gone. Focus that has moved elsewhere in the meantime stays.
    if (isAsked && isLoaded && document.activeElement === document.body) {
      first.current?.focus();
    }
  }, [isAsked, isLoaded]);
  return (
    <Loaded
      query={query}
      failed={t('history.failed')}
      loading={<LoadingRows label={t('history.loading')} rows={3} />}
    >
      {events => (
        <>
          <ol className={styles.history}>
            {events.slice(0, HISTORY_PAGE).map((event, index) => (
              <li
                key={event.id}
                className={styles.event}
                {...(isAsked && index === 0 && { ref: first, tabIndex: -1 })}
              >
                <div>
                  <ChangeLines event={event} />
                </div>
                {mayChange && UNDOABLE.has(event.type) && (
                  <Button
                    size="small"
                    variant="tertiary"
                    aria-label={t('history.undoNamed', {
                      time: formatAbsolute(Date.parse(event.createdAt)),
                    })}
                    onPress={() => onUndo(event)}
                  >
                    {t('history.undo')}
                  </Button>
                )}
              </li>
            ))}
          </ol>
          {events.length > HISTORY_PAGE &&
            (isFollowed ? (
              <HistoryPage
                flag={flag}
                before={events[HISTORY_PAGE - 1].id}
                onUndo={onUndo}
              />
            ) : (
              <div>
                <Button
                  size="small"
                  variant="secondary"
                  onPress={() => setIsFollowed(true)}
                >
                  {t('history.older')}
                </Button>
              </div>
            ))}
        </>
      )}
    </Loaded>
  );
}

function ChangeLines({ event }: { event: HistoryEvent }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  const title = TITLES[event.type as keyof typeof TITLES];
  const { changeRequest: id, reason, enabled } = event.data ?? {};
  const changes = describeChange(event.preData, event.data, useSegmentNames());
  const isSwitched = changes.length === 1 && changes[0].field === 'enabled';
  if (isSwitched) {
    return (
      <>
        <p>{t(enabled ? 'history.turnedOn' : 'history.turnedOff')}</p>
        <Author event={event} />
      </>
    );
  }
  return (
    <>
      <p>
        {title ? t(title, { id: String(id ?? '') }) : event.type}
        {typeof reason === 'string' && ` ${reason}.`}
        {changes.map(({ field, before, after }) => (
          <span key={field} className={styles.change}>
            {' '}
            {t('history.change', { field, before, after })}
          </span>
        ))}
      </p>
      <Author event={event} />
    </>
  );
}

/** Shows who made a change, where and when. */
function Author({ event }: { event: HistoryEvent }) {
  const { t } = useTranslationRef(flagsTranslationRef);
  return (
    <p className={styles.quiet}>
      {personName(event.createdBy, t)},{' '}
      {event.environment && `${event.environment}, `}
      <RelativeTime value={event.createdAt} />
    </p>
  );
}
