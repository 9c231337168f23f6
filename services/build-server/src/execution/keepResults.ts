import { ArtifactError } from '../artifacts/Artifacts.ts';
import type { Artifact, TestSummary } from '../builds/Build.ts';
import { countTests } from '../junit/countTests.ts';
import { JUnitError } from '../junit/readJUnit.ts';
import { ReportError } from './commands.ts';
import type { PlacedBuild } from './PlacedBuild.ts';
import { readReports } from './readReports.ts';

/** @returns the totals of the tests, or what is wrong with their reports. */
export async function readTestReports(
  { build, job, place, secrets }: PlacedBuild,
  { junit: globs, signal }: { junit: readonly string[]; signal: AbortSignal },
): Promise<{ tests: TestSummary | null; fault: string | null }> {
  if (globs.length === 0) {
    return { tests: null, fault: null };
  }
  try {
    const reports = await readReports(place, globs);
    if (reports.length === 0 && build.rerun) {
      // Its tests may belong to reused steps.
      return { tests: null, fault: null };
    }
    if (reports.length === 0) {
      const fault = `No test report matches ${globs.join(', ')}`;
      return { tests: null, fault };
    }
    const values = secrets.valuesOf(job);
    const tests = await countTests(reports, { secrets: values, signal });
    return { tests, fault: null };
  } catch (error) {
    if (error instanceof JUnitError || error instanceof ReportError) {
      return { tests: null, fault: error.message };
    }
    throw error;
  }
}

/** @returns the stored artifacts, or why none is stored. */
export async function keepArtifacts(
  { build, place, artifacts: store }: PlacedBuild,
  { globs, signal }: { globs: readonly string[]; signal: AbortSignal },
): Promise<{ artifacts: Artifact[]; fault: string | null }> {
  try {
    const artifacts = await store.collect(build.id, {
      ...{ globs, signal },
      directory: await place.bring(globs),
    });
    return { artifacts, fault: null };
  } catch (error) {
    if (!(error instanceof ArtifactError || error instanceof ReportError)) {
      throw error;
    }
    await store.remove(build.id);
    return { artifacts: [], fault: error.message };
  }
}
