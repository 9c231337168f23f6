import type { AxeResults, Result } from 'axe-core';

/** A rule that axe reported, with the elements it applies to. */
export interface Finding {
  rule: string;
  /** minor, moderate, serious or critical; null if axe is unsure. */
  impact: string | null;
  help: string;
  helpUrl: string;
  /** False for best practices that are not a WCAG 2.1 A or AA success criterion. */
  isWcag: boolean;
  elements: readonly { selector: string; summary: string }[];
}

/** Results of axe for one story. */
export interface Report {
  violations: readonly Finding[];
  /** Rules that axe could not decide and a person has to check. */
  incomplete: readonly Finding[];
  /** Number of rules that passed. */
  passes: number;
}

/** axe tags of the WCAG 2.1 success criteria, levels A and AA. */
const WCAG_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** Converts axe results to a report. */
export function toReport(
  results: Pick<AxeResults, 'violations' | 'incomplete' | 'passes'>,
): Report {
  return {
    violations: results.violations.map(toFinding),
    incomplete: results.incomplete.map(toFinding),
    passes: results.passes.length,
  };
}

function toFinding(result: Result): Finding {
  return {
    rule: result.id,
    impact: result.impact ?? null,
    help: result.help,
    helpUrl: result.helpUrl,
    isWcag: result.tags.some(tag => WCAG_TAGS.includes(tag)),
    elements: result.nodes.map(({ target, failureSummary }) => ({
      // axe returns an array of selectors for a path through iframes or shadow roots.
      selector: target.flat().join(' '),
      summary: failureSummary ?? '',
    })),
  };
}

/**
 * Verdict on WCAG 2.1 AA. There is no "passes": automated rules cover only some criteria.
 */
type Verdict = 'checking' | 'unchecked' | 'fails' | 'review' | 'holds';

/** State of a check: its report, the error that ended it, or neither while it runs. */
export interface Check {
  report?: Report;
  error?: string;
}

/** Returns the verdict of a check; findings outside of WCAG do not count. */
export function verdictOf({ report, error }: Check): Verdict {
  if (error !== undefined) {
    return 'unchecked';
  }
  if (!report) {
    return 'checking';
  }
  if (report.violations.some(({ isWcag }) => isWcag)) {
    return 'fails';
  }
  return report.incomplete.some(({ isWcag }) => isWcag) ? 'review' : 'holds';
}

/** Displayed texts of each verdict. */
export const VERDICT_TEXTS: Record<
  Verdict,
  { title: string; description: string }
> = {
  checking: { title: 'Checking', description: 'The rules are running.' },
  unchecked: {
    title: 'Not checked',
    description: 'The check ended with an error.',
  },
  fails: {
    title: 'Does not meet WCAG 2.1 AA',
    description: 'At least one success criterion is violated.',
  },
  review: {
    title: 'Needs review',
    description: 'No rule is violated, but some rules need a manual check.',
  },
  holds: {
    title: 'No violation of WCAG 2.1 AA found',
    description:
      'The rules cover only some criteria; test keyboard and screen reader use manually.',
  },
};
