import {
  toastApiRef,
  useApi,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { ToggleButton } from '@backstage/ui';
import { RiThumbUpFill, RiThumbUpLine } from '@remixicon/react';
import { useErrorWords } from '@slipway/app-react';
import type { Ballot } from '../api/Feedback';
import { useVote } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from '../feedback.module.css';

/** Casts or withdraws a vote for feedback, and shows the number of votes. */
export function VoteButton({ ballot }: { ballot: Ballot }) {
  const { id, title, votes, hasVoted, isOpen } = ballot;
  const { t } = useTranslationRef(feedbackTranslationRef);
  const toastApi = useApi(toastApiRef);
  const errorWords = useErrorWords();
  const { mutate, isPending, variables } = useVote(id);
  const isSelected = isPending ? variables : hasVoted;
  return (
    <span className={styles.vote}>
      <ToggleButton
        size="small"
        // A vote for a closed entry can be withdrawn, but not cast again.
        isDisabled={!isOpen && !hasVoted}
        aria-label={t('votes.voteFor', { title })}
        iconStart={
          isSelected ? <RiThumbUpFill size={16} /> : <RiThumbUpLine size={16} />
        }
        isSelected={isSelected}
        onChange={wanted => {
          if (!isPending) {
            mutate(wanted, {
              onError: error =>
                toastApi.post({
                  title: t('votes.failed'),
                  description: errorWords(error),
                  status: 'danger',
                }),
            });
          }
        }}
      >
        {t('votes.vote')}
      </ToggleButton>
      <VoteCount votes={votes} />
    </span>
  );
}

/** Shows the number of votes. */
export function VoteCount({ votes }: { votes: number }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const name = t('votes.count', { count: votes });
  return (
    <span role="img" aria-label={name} title={name} className={styles.count}>
      {votes}
    </span>
  );
}
