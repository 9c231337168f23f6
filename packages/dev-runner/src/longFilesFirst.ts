import type { TestSpecification } from 'vitest/node';

/**
 * Path suffixes of test files that take much longer than the others in their project. On a fresh clone,
 * Vitest knows no durations and starts small files last, so such a file would run at the end, with
 * nothing else running.
 */
const LONG_FILES = ['space-metrics/src/privacy/attacker.test.ts'];

/**
 * Moves the files that take longest to the start of their project.
 *
 * @param files - in Vitest's order, which groups them by project.
 */
export function longFilesFirst(
  files: readonly TestSpecification[],
): TestSpecification[] {
  const byProject = Map.groupBy(files, ({ project }) => project.name);
  return [...byProject.values()].flatMap(own => [
    ...own.filter(isLong),
    ...own.filter(file => !isLong(file)),
  ]);
}

function isLong({ moduleId }: TestSpecification): boolean {
  return LONG_FILES.some(each => moduleId.endsWith(`/${each}`));
}
