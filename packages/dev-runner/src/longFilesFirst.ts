import type { TestSpecification } from 'vitest/node';

/**
 * The ends of paths of test files that take longer than others of their project. On a clean clone, Vitest
 * knows no durations and starts small files last: such a file would then run alone at the end.
 */
const LONG_FILES = ['space-metrics/src/privacy/attacker.test.ts'];

/**
 * Moves the longest files of each project to its start.
 *
 * @param files - in the order of Vitest, which groups them by project.
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
