import type { Build, BuildResult } from '../builds/Build.ts';

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
): 'broken' | 'mended' | undefined {
  if (result === null || result === 'ABORTED') {
    return undefined;
  }
  const isGood = result === 'SUCCESS';
  const wasGood = before === undefined || before === 'SUCCESS';
  if (isGood === wasGood) {
    return undefined;
  }
  return isGood ? 'mended' : 'broken';
}

/** Describes a build to people in one sentence, without chat or forge markup. */
export function sentenceOf(build: Build, news: 'broken' | 'mended'): string {
  const { job, number, reason, source } = build;
  const authors = [
    ...new Set((source?.commits ?? []).map(({ author }) => author)),
  ];
  const by = authors.length > 0 ? ` (${authors.slice(0, 3).join(', ')})` : '';
  return news === 'broken'
    ? `${job} #${number} is broken${by}: ${reason ?? 'it failed'}`
    : `${job} #${number} is fixed${by}`;
}
