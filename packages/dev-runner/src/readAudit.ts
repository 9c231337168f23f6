/** A security advisory about an installed package. */
interface Advisory {
  name: string;
  severity: string;
  issue: string;
  url: string;
}

/** What the package registry said: its advisories, or why it gave no answer. */
type Audit =
  | { answered: true; advisories: Advisory[] }
  | { answered: false; reason: string };

interface AuditLine {
  value?: string;
  children?: { Issue?: string; Severity?: string; URL?: string };
}

/**
 * Reads the output of `yarn npm audit --json`: one JSON object a line for each
 * advisory, a line of type `info` where there are none. Yarn exits with 1 both when it
 * found advisories and when the registry refused to be asked; only in the first case
 * does it print lines.
 */
export function readAudit(run: {
  status: number | null;
  stdout: string;
  stderr: string;
}): Audit {
  const lines = run.stdout.split('\n').filter(line => line.startsWith('{'));
  if (run.status !== 0 && lines.length === 0) {
    const [reason = 'no reason given'] =
      /Response code \d+ \([\w ]+\)|\bE[A-Z]{5,}\b|Command failed[^\n]*/.exec(
        run.stderr,
      ) ?? [];
    return { answered: false, reason };
  }
  const advisories = lines
    .map(line => JSON.parse(line) as AuditLine)
    .flatMap(({ value, children }) =>
      value && children
        ? {
            name: value,
            severity: children.Severity ?? 'unknown',
            issue: children.Issue ?? '',
            url: children.URL ?? '',
          }
        : [],
    );
  return { answered: true, advisories };
}
