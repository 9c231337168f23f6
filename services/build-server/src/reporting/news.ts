import type { Transaction } from '@slipway/service-kit';
import type { Build, BuildResult, TestSummary } from '../builds/Build.ts';

/** Maximum number of failed tests named in a message. */
const SHOWN_TESTS = 20;

/** Notifies people or systems of a build, in the transaction that stores it. */
export type TellBuild = (trx: Transaction, build: Build) => Promise<void>;

/** How a finished build changed the state of its job. */
export type News = 'broken' | 'fixed';

/**
 * Checks whether a finished build broke or fixed its job.
 *
 * @param before - result of the latest earlier build that was not aborted: an aborted one
 * says nothing about the code.
 * @returns undefined if neither.
 */
export function newsOf(
  { result }: Build,
  before: BuildResult | undefined,
): News | undefined {
  if (result === null || result === 'ABORTED') {
    return undefined;
  }
  const isGood = result === 'SUCCESS';
  const wasGood = before === undefined || before === 'SUCCESS';
  if (isGood === wasGood) {
    return undefined;
  }
  return isGood ? 'fixed' : 'broken';
}

/** Returns a sentence for people about a build, without chat or forge markup. */
export function sentenceOf(build: Build, news: News): string {
  const { job, number, reason, source } = build;
  const authors = [
    ...new Set((source?.commits ?? []).map(({ author }) => author)),
  ];
  const by = authors.length > 0 ? ` (${authors.slice(0, 3).join(', ')})` : '';
  return news === 'broken'
    ? `${job} #${number} is broken${by}: ${reason ?? 'it failed'}`
    : `${job} #${number} is fixed${by}`;
}

/**
 * Lists the failed tests of a broken build as lines of text; empty if none failed.
 *
 * @param format - escapes the name of a test for the medium.
 */
export function failuresOf(
  tests: TestSummary | null,
  format: (name: string) => string,
): string[] {
  const { failed, failures } = tests ?? { failed: 0, failures: [] };
  const shown = failures.slice(0, SHOWN_TESTS);
  const rest = failed - shown.length;
  return [
    ...shown.map(({ suite, name }) => `- ${format(`${suite}: ${name}`)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}
