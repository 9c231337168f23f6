import { patient } from '@slipway/dev-runner/src/patience.ts';
import {
  guessCategory,
  priorityOf,
  scoreWords,
  sentimentOf,
} from './sentimentOf.ts';

const CATEGORIES = ['UI/UX', 'Performance', 'Documentation', 'CI/CD', 'Other'];

describe('sentiment of words', () => {
  it.each([
    ['I love the new dashboard, great work', 'positive'],
    ['Not bad at all', 'positive'],
    ['Dead simple, a killer feature', 'positive'],
    ['No problems so far, it never fails', 'positive'],
    ['The search does not work', 'negative'],
    ['The build hangs for an hour', 'negative'],
    ['It is not good', 'negative'],
    ['The page is slow and confusing', 'negative'],
    ['How do I kill a job from the error page', 'neutral'],
    ['Please add a dark mode', 'neutral'],
    ['constructor __proto__ toString hasOwnProperty', 'neutral'],
    ['', 'neutral'],
    ['🙂'.repeat(5_000), 'neutral'],
  ])('%s: %s', (message, expected) => {
    expect(sentimentOf(message)).toBe(expected);
  });

  it('inverts negated phrases', () => {
    expect(scoreWords('it is slow')).toBeLessThan(0);
    expect(scoreWords('it is not at all slow')).toBeGreaterThan(0);
  });

  it('is fast for the longest message of one word', () => {
    const started = performance.now();
    sentimentOf('a'.repeat(10_000));
    sentimentOf('not '.repeat(2_500));
    expect(performance.now() - started).toBeLessThan(patient(1_000));
  });
});

describe('sentiment with a rating', () => {
  it.each([
    ['The dashboard', 5, 'positive'],
    ['The dashboard', 1, 'negative'],
    ['The dashboard', 3, 'neutral'],
    ['I hate it, terrible and broken', 3, 'negative'],
    ['I love it, it is wonderful', 3, 'positive'],
    ['Great, yet another outage', 1, 'negative'],
    ['Love it, great work', 5, 'positive'],
  ])('%s, %i: %s', (message, rating, expected) => {
    expect(sentimentOf(message, rating)).toBe(expected);
  });
});

it('assigns the highest priority to blocking problems', () => {
  expect(priorityOf('Production is down', 'neutral')).toBe('high');
  expect(priorityOf('The colours are ugly', 'negative')).toBe('medium');
  expect(priorityOf('Nice colours', 'positive')).toBe('low');
});

it.each([
  ['The deployment pipeline is slow to build', 'CI/CD'],
  ['The page is slow, it lags and hangs', 'Performance'],
  ['The docs lack an example', 'Documentation'],
  ['That button is hard to click on mobile', 'UI/UX'],
  ['I like cheese', 'Other'],
])('guesses that "%s" is about %s', (message, category) => {
  expect(guessCategory(message, CATEGORIES)).toBe(category);
});

it('guesses only configured categories', () => {
  expect(guessCategory('The docs', ['constructor', 'Sales'])).toBe('Sales');
});
