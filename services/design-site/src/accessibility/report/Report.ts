import type { AxeResults, Result } from 'axe-core';

/** One rule that axe has something to say about. */
export interface Finding {
  rule: string;
  /** minor, moderate, serious or critical; axe names none where it is unsure. */
  impact: string | null;
  help: string;
  helpUrl: string;
  /** False for what is good practice, but no success criterion of WCAG 2.1 A or AA. */
  isWcag: boolean;
  elements: readonly { selector: string; summary: string }[];
}

/** What axe found on one story. */
export interface Report {
  violations: readonly Finding[];
  /** What axe could not decide: a person has to look. */
  incomplete: readonly Finding[];
  /** Rules that hold. */
  passes: number;
}

/** Tags of axe for the success criteria of WCAG 2.1, levels A and AA. */
const WCAG_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];

/** The part of axe's results that people read. */
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
      // A path through frames or shadow roots comes as several.
      selector: target.flat().join(' '),
      summary: failureSummary ?? '',
    })),
  };
}

/** What can be said of WCAG 2.1 AA. Never that it is met: machines check a part of it. */
type Verdict = 'checking' | 'unchecked' | 'fails' | 'review' | 'holds';

/** State of a check: its report, the error that ended it, or neither while it runs. */
export interface Check {
  report?: Report;
  error?: string;
}

/** One word for a check; findings beyond WCAG do not count. */
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

/** What people read for each verdict. */
export const VERDICT_TEXTS: Record<
  Verdict,
  { title: string; description: string }
> = {
  checking: { title: 'Checking', description: 'The rules are being run.' },
  unchecked: {
    title: 'Not checked',
    description: 'The check ended with an error.',
  },
  fails: {
    title: 'Does not meet WCAG 2.1 AA',
    description: 'At least one success criterion is violated.',
  },
  review: {
    title: 'Needs a look',
    description:
      'Nothing is violated, but the rules could not decide everything.',
  },
  holds: {
    title: 'No violation of WCAG 2.1 AA found',
    description:
      'The rules cover only some criteria; test keyboard and screen reader use manually.',
  },
};
