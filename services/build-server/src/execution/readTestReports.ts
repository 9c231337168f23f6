import type { TestSummary } from '../builds/Build.ts';
import { JUnitError, readJUnit } from '../junit/readJUnit.ts';
import type { SecretMask } from '../secrets/SecretMask.ts';
import { type ExecutionPlace, ReportError } from './Executor.ts';

/**
 * Reads what the tests of a build came to.
 *
 * @param options.globs - where reports were promised, if they were.
 * @returns the tests, or what is wrong with their reports.
 */
export async function readTestReports(
  place: Pick<ExecutionPlace, 'read'>,
  options: { globs: readonly string[] | undefined; mask: SecretMask },
): Promise<{ tests: TestSummary | null; fault: string | null }> {
  const { globs, mask } = options;
  if (!globs) {
    return { tests: null, fault: null };
  }
  try {
    const reports = await place.read(globs);
    if (reports.length === 0) {
      const fault = `No test report matches ${globs.join(', ')}`;
      return { tests: null, fault };
    }
    const masked = reports.map(({ path, text }) => ({
      path,
      text: mask.text(text),
    }));
    return { tests: readJUnit(masked), fault: null };
  } catch (error) {
    if (error instanceof JUnitError || error instanceof ReportError) {
      return { tests: null, fault: error.message };
    }
    throw error;
  }
}
