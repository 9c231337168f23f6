import { SentimentIntensityAnalyzer } from 'vader-sentiment';

/**
 * Phrases about software that a general lexicon gets wrong. Each one found is removed from the text
 * and counted with its weight, from −1 to 1. A weight of 0 is for words that only sound emotional
 * ("fatal signal"); the others are opinions that sound neutral ("does not work").
 */
const wordsOfSoftware: readonly (readonly [RegExp, number])[] = [
  // Sound negative but are positive or neutral.
  [/\b(dead|stupidly|insanely|ridiculously) (simple|easy|fast|quick)\b/g, 0.6],
  [/\bkiller feature\b/g, 0.6],
  [/\bno (problems?|issues?|complaints?|bugs?|trouble|errors?)\b/g, 0.4],
  [/\b(never|not) (fails?|failed|crash(es|ed)?|breaks?|slow)\b/g, 0.4],
  [/\bkill(s|ed|ing)? (a|the|my|our|jobs?|process(es)?|builds?)\b/g, 0],
  [/\b(error|failure) (logs?|messages?|pages?|codes?|budgets?)\b/g, 0],
  [/\bfatal (signal|log|level)s?\b/g, 0],
  [/\b(dark|light|debug|safe) mode\b/g, 0],
  [/\bplease\b|\bwould be (nice|great|good|useful|helpful)\b/g, 0],
  // Sound neutral but are complaints.
  [
    /\b(does|do|did|is|are|was)(n't| not|nt) (work(ing)?|load(ing)?|respond(ing)?|start(ing)?|open(ing)?|sav(e|ing))\b/g,
    -0.6,
  ],
  [/\b(can'?t|cannot|could ?n'?t|unable to)\b/g, -0.4],
  [
    /\b(never|no longer|stopped) (works?|loads?|working|loading|responds?)\b/g,
    -0.6,
  ],
  [
    /\b(hangs?|hung|freezes?|frozen|stuck|times? out|timed out|time-?outs?)\b/g,
    -0.5,
  ],
  [
    /\b(crash(es|ed|ing)?|broken|breaks|buggy|flaky|unusable|unreliable)\b/g,
    -0.6,
  ],
  [
    /\b(slow|slowly|slower|sluggish|laggy|lags|takes (ages|forever|too long))\b/g,
    -0.5,
  ],
  [
    /\b(confusing|unclear|outdated|hard to (find|use|read|understand))\b/g,
    -0.5,
  ],
  [/\b(missing|lacks?)\b/g, -0.2],
];

/** Words before a phrase that negate it. */
const NEGATION =
  /\b(not|no|never|neither|nor|without|hardly|isn'?t|aren'?t|wasn'?t|don'?t|doesn'?t|didn'?t|nothing)\b[^.!?;,]{0,20}$/;

export const SENTIMENTS = ['positive', 'neutral', 'negative'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/**
 * Weight of the rating, which says more than the words: measured on feedback, words alone are right
 * two times out of three.
 */
const RATING_SHARE = 0.6;
/** Scores beyond this, in either direction, are not neutral. */
const RATED_CUT = 0.2;
const WORDS_CUT = 0.25;
/** Number of characters before a phrase that are searched for a negation. */
const REACH = 40;

/** Determines the sentiment from the message and, if there is one, the rating (1 to 5). */
export function sentimentOf(message: string, rating?: number): Sentiment {
  const words = scoreWords(message);
  if (rating === undefined) {
    return cut(words, WORDS_CUT);
  }
  const rated = (rating - 3) / 2;
  return cut(RATING_SHARE * rated + (1 - RATING_SHARE) * words, RATED_CUT);
}

/**
 * Scores a message from −1 to 1: with VADER for general English, including negation, and with our
 * phrases about software.
 */
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

/** Returns the rating that matches a sentiment, for messages without one. */
export function inferRating(sentiment: Sentiment): number {
  return { positive: 4, neutral: 3, negative: 2 }[sentiment];
}

export const PRIORITIES = ['high', 'medium', 'low'] as const;
/** Urgency of feedback. */
export type Priority = (typeof PRIORITIES)[number];

/** Matches words for blocked work, lost data or unauthorized access. */
const URGENT =
  /\b(urgent|asap|outage|down for|is down|are down|blocked|blocker|blocking|data ?loss|lost (my|our|all|the) (work|data|changes)|security|vulnerab(le|ility|ilities)|leak(s|ed|ing)?|production is|prod is|cannot (log ?in|deploy|work)|can'?t (log ?in|deploy|work))\b/i;

/** Guesses the priority, which admins may correct. */
export function priorityOf(message: string, sentiment: Sentiment): Priority {
  if (URGENT.test(message)) {
    return 'high';
  }
  return sentiment === 'negative' ? 'medium' : 'low';
}

/** Words that indicate each of the default categories. */
const HINTS: Readonly<Record<string, RegExp>> = {
  'CI/CD':
    /\b(ci|cd|pipelines?|builds?|deploy(s|ed|ing|ments?)?|releases?|runners?|jobs?|tests? (fail|suite))\b/gi,
  Performance:
    /\b(slow(ly|er)?|fast(er)?|performance|lag(s|gy)?|latency|hangs?|fr(ee|o)z(e|es|en|ing)|time-?outs?|times out|takes (ages|forever|too long)|memory|cpu|loading)\b/gi,
  Documentation:
    /\b(docs?|documentation|readme|guides?|tutorials?|examples?|how-?to|wiki|runbooks?|explain(s|ed)?)\b/gi,
  'UI/UX':
    /\b(ui|ux|buttons?|pages?|layouts?|designs?|menus?|dialogs?|navigation|sidebar|screens?|themes?|dark mode|icons?|colou?rs?|fonts?|click(s|ed|ing)?|mobile|keyboard|accessib(le|ility))\b/gi,
};

/**
 * Guesses the category of a text: the configured category with the most words in it, or the last
 * one if there are none.
 */
export function guessCategory(
  message: string,
  categories: readonly string[],
): string {
  let best = { category: categories[categories.length - 1], hits: 0 };
  for (const category of categories) {
    const hits = Object.hasOwn(HINTS, category)
      ? (message.match(HINTS[category])?.length ?? 0)
      : 0;
    if (hits > best.hits) {
      best = { category, hits };
    }
  }
  return best.category;
}
