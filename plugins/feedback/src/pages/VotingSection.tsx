import { type FormEvent, useRef, useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, TextField } from '@backstage/ui';
import {
  actorName,
  Loaded,
  SendFailure,
  useErrorWords,
} from '@slipway/app-react';
import {
  ConfirmDialog,
  LoadingRows,
  Pager,
  RelativeTime,
  useFocusNearby,
} from '@slipway/design-system';
import type { Feedback } from '../api/Feedback';
import { useVoters, useVoting } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';
import { MergedNote, MergeForm } from './MergeForm';
import { NoteForm } from './NoteForm';
import { useStoredText } from './useStoredText';

/**
 * Lets admins open feedback for voting, write its public note, see who voted, and merge it as a
 * duplicate or undo that.
 */
export function VotingSection({ feedback }: { feedback: Feedback }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const { id, votes, voting, mergedInto } = feedback;
  const section = useRef<HTMLElement>(null);
  useFocusNearby(section);
  return (
    <section
      ref={section}
      className={styles.facts}
      aria-label={t('voting.region')}
    >
      <h3>{t('voting.region')}</h3>
      {mergedInto === null ? (
        <VotingForm feedback={feedback} />
      ) : (
        <MergedNote id={id} into={mergedInto} />
      )}
      {voting && (
        <NoteForm
          id={id}
          note={voting.note?.text ?? ''}
          isOpen={voting.isOpen}
          isMerged={mergedInto !== null}
        />
      )}
      {mergedInto === null && (
        <>
          {votes > 0 && <Voters id={id} />}
          <MergeForm feedback={feedback} />
        </>
      )}
    </section>
  );
}

/** Sets the title that everyone may read, and whether users can vote. */
function VotingForm({ feedback }: { feedback: Feedback }) {
  const { id, voting, status } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const draft = useStoredText(voting?.title ?? '');
  const title = draft.text.trim();
  const [isChecked, setIsChecked] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, mutateAsync, error, isPending, isSuccess } = useVoting(id);
  const errorWords = useErrorWords();
  const isOpen = voting?.isOpen ?? false;
  const isSaid = title !== '';
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsChecked(true);
    if (!isSaid) {
      event.currentTarget.querySelector('input')?.focus();
    } else if (!isPending) {
      mutate(title, { onSuccess: () => draft.onSaved(title) });
    }
  };
  const action = voting ? 'voting.reopen' : 'voting.open';
  return (
    <form className={styles.facts} onSubmit={onSubmit} noValidate>
      {error && !isAsking && (
        <SendFailure title={t('voting.failed')} error={error} />
      )}
      <TextField
        label={t('votes.title')}
        description={t('voting.titleHelp')}
        maxLength={200}
        value={draft.text}
        onChange={draft.setText}
        validationBehavior="aria"
        validate={() => !isChecked || isSaid || t('voting.titleMissing')}
      />
      {(status === 'resolved' || status === 'archived') && (
        <p className={styles.quiet}>{t('voting.ended')}</p>
      )}
      <div className={styles.threadHead}>
        <Button variant="secondary" type="submit" isPending={isPending}>
          {t(isOpen ? 'voting.save' : action)}
        </Button>
        {isOpen && (
          <Button variant="secondary" onPress={() => setIsAsking(true)}>
            {t('voting.close')}
          </Button>
        )}
        <span className={styles.quiet} role="status">
          {isSuccess && t('voting.saved')}
        </span>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('voting.closeTitle')}
        confirmLabel={t('voting.close')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync(undefined);
        }}
      >
        {t('voting.closeText')}
      </ConfirmDialog>
    </form>
  );
}

/** Lists who voted, newest first. */
function Voters({ id }: { id: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [page, setPage] = useState(1);
  const query = useVoters(id, page);
  return (
    <Loaded
      query={query}
      failed={t('voting.votersFailed')}
      loading={<LoadingRows label={t('voting.votersLoading')} rows={2} />}
    >
      {voters => (
        <div>
          <ul className={styles.voters} aria-label={t('voting.voters')}>
            {voters.items.map(({ user, votedAt }) => (
              <li key={user}>
                {actorName(user)}
                <span className={styles.quiet}>
                  <RelativeTime value={votedAt} />
                </span>
              </li>
            ))}
          </ul>
          <Pager {...voters} label={t('voting.voters')} onChange={setPage} />
        </div>
      )}
    </Loaded>
  );
}
