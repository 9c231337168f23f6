import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import type { Feedback } from '../api/Feedback';
import { usePublicNote } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Changes or removes the public note of feedback that is open for voting. */
export function NoteForm(props: {
  id: string;
  voting: NonNullable<Feedback['voting']>;
}) {
  const { id, voting } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [note, setNote] = useState(voting.note?.text ?? '');
  const { mutate, error, isPending, isSuccess, variables } = usePublicNote(id);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) {
      mutate(note.trim(), { onSuccess: () => setNote(note.trim()) });
    }
  };
  return (
    <form className={styles.facts} onSubmit={onSubmit}>
      {error && <SendFailure title={t('voting.noteFailed')} error={error} />}
      <TextAreaField
        label={t('votes.note')}
        description={t('voting.noteHelp')}
        rows={2}
        maxLength={500}
        value={note}
        onChange={setNote}
      />
      <div className={styles.threadHead}>
        <Button variant="secondary" type="submit" isPending={isPending}>
          {t('voting.saveNote')}
        </Button>
        <span className={styles.quiet} aria-live="polite">
          {isSuccess && note === variables && t('voting.saved')}
        </span>
      </div>
    </form>
  );
}
