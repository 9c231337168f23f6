import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Select, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { STATUSES, type Status } from '../../api/types';
import styles from '../../components/components.module.css';
import { useChangeStatus } from '../../data/useChanges';
import { feedbackTranslationRef } from '../../translation';

/** The status that feedback most often has next. */
const NEXT: Record<Status, Status> = {
  new: 'validated',
  validated: 'in_progress',
  in_progress: 'resolved',
  resolved: 'archived',
  archived: 'new',
};

/** Moves one piece of feedback, with notes for those who triage. */
export function MoveForm({ id, status }: { id: string; status: Status }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [chosen, setChosen] = useState<{ from: Status; to: Status }>();
  const [notes, setNotes] = useState('');
  const { mutate, error, isPending } = useChangeStatus(id);
  // What was chosen before it moved is of no use after.
  const next = chosen?.from === status ? chosen.to : NEXT[status];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isPending) {
      mutate(
        { status: next, notes: notes.trim() },
        { onSuccess: () => setNotes('') },
      );
    }
  };
  return (
    <form className={styles.facts} onSubmit={onSubmit}>
      {error && <SendFailure title={t('detail.saveFailed')} error={error} />}
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
    </form>
  );
}
