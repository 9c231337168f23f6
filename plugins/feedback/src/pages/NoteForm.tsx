import { type FormEvent, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { usePublicNote } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/**
 * Changes or removes the public note of feedback while it is open for voting. Keeps a note that is
 * being written if voting ends in the meantime.
 */
export function NoteForm(props: {
  id: string;
  /** The current note; empty if there is none. */
  note: string;
  isOpen: boolean;
}) {
  const { id, isOpen } = props;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [saved, setSaved] = useState(props.note);
  const [note, setNote] = useState(saved);
  const { mutate, error, isPending, isSuccess, variables } = usePublicNote(id);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) {
      const text = note.trim();
      mutate(text, {
        onSuccess: () => {
          setNote(text);
          setSaved(text);
        },
      });
    }
  };
  if (!isOpen && note === saved) {
    return null;
  }
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
        <Button
          variant="secondary"
          type="submit"
          isPending={isPending}
          isDisabled={!isOpen}
        >
          {t('voting.saveNote')}
        </Button>
        <span className={styles.quiet} aria-live="polite">
          {isOpen
            ? isSuccess && note === variables && t('voting.saved')
            : t('voting.noteClosed')}
        </span>
      </div>
    </form>
  );
}
