import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextAreaField } from '@backstage/ui';
import { SendFailure, useErrorWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
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
  // People who triage may reply exactly if the sender can be notified.
  const { id, status, replyCount, mayReply: isSenderNotified } = feedback;
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
      {next === 'archived' && status !== 'resolved' && isSenderNotified && (
        <p className={styles.quiet}>{t('detail.archiveHelp')}</p>
      )}
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
