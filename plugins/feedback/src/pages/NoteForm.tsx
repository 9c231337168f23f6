import { type FormEvent, useLayoutEffect, useRef } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextAreaField } from '@backstage/ui';
import { SendFailure } from '@slipway/app-react';
import { usePublicNote } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';
import { useStoredText } from './useStoredText';

/**
 * A form to change or remove the public note of feedback that is open for voting. Keeps an unsaved
 * note if voting ends, or if another admin changes the note, in the meantime; the other note is then
 * shown before it can be replaced.
 */
export function NoteForm(props: {
  id: string;
  /** The current note; empty if there is none. */
  note: string;
  isOpen: boolean;
  isMerged: boolean;
}) {
  const { id, isMerged } = props;
  const isOpen = props.isOpen && !isMerged;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const draft = useStoredText(props.note);
  const { mutate, reset, error, isPending, isSuccess, variables } =
    usePublicNote(id);
  // Not while the user goes on writing after having saved this note.
  const isOvertaken = draft.isOvertaken && props.note !== variables?.text;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    // Keeps the focus in the form: a button that becomes disabled loses it.
    if (!isOpen && form.current?.contains(document.activeElement)) {
      form.current.querySelector('textarea')?.focus();
    }
  }, [isOpen]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isPending) {
      const note = draft.text.trim();
      mutate(
        { text: note, seen: props.note },
        { onSuccess: () => draft.onSaved(note) },
      );
    }
  };
  const discard = () => {
    draft.setText(props.note);
    // Nothing is left to save, so its failure no longer matters.
    reset();
    // The button disappears.
    form.current?.querySelector('textarea')?.focus();
  };
  if (!isOpen && !draft.isEdited) {
    return null;
  }
  return (
    <form ref={form} className={styles.facts} onSubmit={onSubmit}>
      {isOvertaken ? (
        <div role="alert">
          <p>
            {props.note
              ? t('voting.noteChanged', { note: props.note })
              : t('voting.noteRemoved')}
          </p>
          <Button variant="secondary" size="small" onPress={discard}>
            {t('voting.noteDiscard')}
          </Button>
        </div>
      ) : (
        error && <SendFailure title={t('voting.noteFailed')} error={error} />
      )}
      <TextAreaField
        label={t('votes.note')}
        description={t('voting.noteHelp')}
        rows={2}
        maxLength={500}
        value={draft.text}
        onChange={draft.setText}
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
            ? isSuccess && draft.text === variables.text && t('voting.saved')
            : t(isMerged ? 'voting.noteMerged' : 'voting.noteClosed')}
        </span>
      </div>
    </form>
  );
}
