import { useTranslationRef } from '@backstage/frontend-plugin-api';
import type { Ballot } from '../api/Feedback';
import { VoteButton } from '../components/VoteButton';
import { useTopBallots } from '../queries';
import { feedbackTranslationRef } from '../translation';
import styles from './widget.module.css';

const MOST = 3;

/** Common words, which say nothing about the subject of a text. */
const COMMON = new Set(
  'about after also been before both could does each every from have into just like made make more most much need only other should some such than that their them then there these they this very want were what when where which while will with without would your'.split(
    ' ',
  ),
);

/**
 * Offers to vote for feedback that is similar to the message being written. The message is compared
 * in the browser: nothing of it leaves the browser before the user sends it.
 */
export function SimilarFeedback({ message }: { message: string }) {
  const { t } = useTranslationRef(feedbackTranslationRef);
  const words = wordsOf(message);
  const { data } = useTopBallots({ isEnabled: words.size > 0 });
  const similar = mostSimilar(words, data?.items ?? []);
  return (
    <div aria-live="polite">
      {similar.length > 0 && (
        <section className={styles.unread} aria-label={t('votes.similar')}>
          <h3>{t('votes.similar')}</h3>
          <p>{t('votes.similarHelp')}</p>
          <ul className={styles.similar}>
            {similar.map(ballot => (
              <li key={ballot.id}>
                <span>{ballot.title}</span>
                <VoteButton ballot={ballot} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/**
 * Returns the longer words of a text in lower case, each reduced to its first letters so that its
 * inflected forms match.
 */
function wordsOf(text: string): Set<string> {
  const words = text.toLocaleLowerCase('en').match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return new Set(
    words.filter(word => !COMMON.has(word)).map(word => word.slice(0, 6)),
  );
}

/**
 * Returns the entries that share the most words with a text: at least two, or one if the title has
 * only one.
 */
function mostSimilar(
  words: ReadonlySet<string>,
  ballots: readonly Ballot[],
): Ballot[] {
  return ballots
    .map(ballot => {
      const own = [...wordsOf(ballot.title)];
      const shared = own.filter(word => words.has(word)).length;
      return { ballot, shared, needed: Math.min(2, own.length) };
    })
    .filter(({ shared, needed }) => shared > 0 && shared >= needed)
    .sort((a, b) => b.shared - a.shared || b.ballot.votes - a.ballot.votes)
    .slice(0, MOST)
    .map(({ ballot }) => ballot);
}
