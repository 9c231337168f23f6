/** A security advisory about an installed package. */
interface Advisory {
  name: string;
  severity: string;
  issue: string;
  url: string;
}

/** The response of the package registry: its advisories, or why there is none. */
type Audit =
  | { answered: true; advisories: Advisory[] }
  | { answered: false; reason: string };

interface AuditLine {
  value?: string;
  children?: { Issue?: string; Severity?: string; URL?: string };
}

/**
 * Parses the output of `yarn npm audit --json`: a JSON object per line for each advisory, or a line
 * of type `info` if there are none. Yarn exits with 1 both if it found advisories and if the
 * registry rejected the request; only in the first case does it print lines.
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
