import type { Report } from './Report.ts';

/** What can be said of WCAG 2.1 AA. Never that it is met: machines check a part of it. */
export type Verdict = 'checking' | 'unchecked' | 'fails' | 'review' | 'holds';

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
      'Rules check a part of the criteria; keyboard and screen reader want a person.',
  },
};
