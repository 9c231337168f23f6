import { useState } from 'react';
import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { Button, Link, Select } from '@backstage/ui';
import { useErrorWords, useSearchedWords } from '@slipway/app-react';
import { ConfirmDialog } from '@slipway/design-system';
import type { Ballot, Feedback } from '../api/Feedback';
import { useBallotSearch, useMerge, useUndoMerge } from '../queries';
import { useLinks } from '../routes';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Merges feedback into an entry that is open for voting, after confirmation. */
export function MergeForm({ feedback }: { feedback: Feedback }) {
  const { id, replyCount } = feedback;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const [text, setText] = useState('');
  const words = useSearchedWords(text);
  const query = useBallotSearch(words);
  const [target, setTarget] = useState<Ballot>();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync } = useMerge(id);
  const errorWords = useErrorWords();
  const others = (query.data?.items ?? []).filter(other => other.id !== id);
  const isSearching = text.trim() !== '' || words !== '';
  const hasFailed = query.error !== null && !query.data;
  if (others.length === 0 && !target && !isSearching) {
    return (
      hasFailed && <p className={styles.quiet}>{t('voting.mergeFailed')}</p>
    );
  }
  return (
    <>
      <Select
        label={t('voting.mergeInto')}
        description={hasFailed ? t('voting.mergeFailed') : undefined}
        placeholder={t('voting.mergeChoose')}
        search={{
          mode: 'server',
          inputValue: text,
          onInputChange: setText,
          placeholder: t('votes.search'),
        }}
        loading={{ state: query.isFetching ? 'filtering' : 'idle' }}
        value={target?.id ?? null}
        onChange={key => setTarget(others.find(other => other.id === key))}
        onOpenChange={isOpen => {
          // Cleared on opening rather than on closing, so that the list still contains the chosen
          // entry, whose title the field shows.
          if (isOpen) {
            setText('');
          }
        }}
        options={others.map(other => ({ id: other.id, label: other.title }))}
      />
      <div>
        <Button
          variant="secondary"
          isDisabled={!target}
          onPress={() => setIsAsking(true)}
        >
          {t('voting.merge')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('voting.mergeTitle')}
        confirmLabel={t('voting.merge')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          if (target) {
            await mutateAsync({ into: target.id, replyCount });
          }
        }}
      >
        {t('voting.mergeText', { title: target?.title ?? '' })}
      </ConfirmDialog>
    </>
  );
}

/** Links a duplicate to the entry that it was merged into, and undoes merging after confirmation. */
export function MergedNote({ id, into }: { id: string; into: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const links = useLinks();
  const [isAsking, setIsAsking] = useState(false);
  const { mutateAsync } = useUndoMerge(id);
  const errorWords = useErrorWords();
  return (
    <>
      <p className={styles.quiet}>
        {t('voting.isMerged')}{' '}
        <Link href={links.triage(into)}>{t('voting.viewTarget')}</Link>
      </p>
      <div>
        <Button variant="secondary" onPress={() => setIsAsking(true)}>
          {t('voting.undo')}
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={t('voting.undoTitle')}
        confirmLabel={t('voting.undo')}
        destructive={false}
        describeError={errorWords}
        onConfirm={async () => {
          await mutateAsync();
        }}
      >
        {t('voting.undoText')}
      </ConfirmDialog>
    </>
  );
}
