import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextAreaField } from '@backstage/ui';
import { actorName, SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog, RelativeTime } from '@slipway/design-system';
import { type Feedback, type Status, STATUSES } from '../api/Feedback';
import { useChangeStatus } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** The most likely next status. */
const NEXT: Record<Status, Status> = {
  new: 'validated',
  validated: 'in_progress',
  in_progress: 'resolved',
  resolved: 'archived',
  archived: 'new',
};

/**
 * Changes the status of feedback, with notes for other admins. Asks for confirmation before
 * resolving it, because the sender is notified.
 */
export function MoveForm({ feedback }: { feedback: Feedback }) {
  const { id, status, replyCount } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [chosen, setChosen] = useState<{ from: Status; to: Status }>();
  const [notes, setNotes] = useState('');
  const { mutate, mutateAsync, error, isPending } = useChangeStatus(id);
  const errorWords = useErrorWords();
  const [isAsking, setIsAsking] = useState(false);
  // A selection made before the status changed is obsolete.
  const next = chosen?.from === status ? chosen.to : NEXT[status];
  const change = { status: next, notes: notes.trim(), replyCount };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (next === 'resolved') {
      setIsAsking(true);
    } else if (!isPending) {
      mutate(change, { onSuccess: () => setNotes('') });
    }
  };
  return (
    <form className={styles.facts} onSubmit={onSubmit}>
      {error && !isAsking && (
        <SendFailure title={t('detail.saveFailed')} error={error} />
      )}
      <Select
        label={t('detail.move')}
        value={next}
        onChange={key =>
          key !== null && setChosen({ from: status, to: String(key) as Status })
        }
        options={STATUSES.filter(known => known !== status).map(known => ({
          id: known,
          label: t(`status.${known}`),
        }))}
      />
      <TextAreaField
        label={t('detail.notes')}
        description={t('detail.notesHelp')}
        rows={2}
        maxLength={10_000}
        value={notes}
        onChange={setNotes}
      />
      <div>
        <Button variant="primary" type="submit" isPending={isPending}>
          {t('detail.save')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('detail.resolveTitle')}
        confirmLabel={t('bulk.resolveConfirm')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(change);
          setNotes('');
        }}
      >
        {t('palette.resolveText')}
      </ConfirmDialog>
    </form>
  );
}

/**
 * The status changes with their authors and reasons, newest first. Refers to the entry that the
 * feedback was merged into by its title if that is known, otherwise by its id.
 */
export function History({ feedback }: { feedback: Feedback }) {
  const { history: changes = [], mergedInto, mergedTitle } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const named = (notes: string) =>
    mergedInto !== null && mergedTitle !== undefined
      ? notes.replaceAll(mergedInto, () => mergedTitle)
      : notes;
  return (
    <section aria-label={t('detail.history')}>
      <h3>{t('detail.history')}</h3>
      {changes.length === 0 ? (
        <p className={styles.quiet}>{t('detail.noHistory')}</p>
      ) : (
        <ol className={styles.history}>
          {[...changes].reverse().map(change => (
            <li key={`${change.at} ${change.to}`}>
              <span>
                {t('detail.moved', {
                  from: t(`status.${change.from}`),
                  to: t(`status.${change.to}`),
                })}
              </span>
              <span className={styles.quiet}>
                {t('detail.by', { actor: actorName(change.actor) })}
                {' · '}
                <RelativeTime value={change.at} />
              </span>
              {change.notes && <p>{named(change.notes)}</p>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
