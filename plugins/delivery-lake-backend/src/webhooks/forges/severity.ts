const NUMBERED = /^(?:sev|severity)\W*(\d)$/;
const NAMED = /^(?:sev|severity)\W+(\w+)$/;
const BARE = new Set(['critical', 'major', 'minor', 'high', 'medium', 'low']);

/**
 * The severity that labels give: `sev1`, `severity::1` and `severity/1` are `sev1`,
 * `severity: high` is `high`, `critical` is itself. The first that is one counts.
 */
export function severityIn(labels: string[]): string | undefined {
  for (const label of labels) {
    const name = label.trim().toLocaleLowerCase('en-US');
    const number = NUMBERED.exec(name)?.[1];
    if (number) {
      return `sev${number}`;
    }
    const word = NAMED.exec(name)?.[1];
    if (word) {
      return word;
    }
    if (BARE.has(name)) {
      return name;
    }
  }
  return undefined;
}
