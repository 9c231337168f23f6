import { rm } from 'node:fs/promises';
import { endGuard } from './process/guard';
import { sweepProcesses } from './process/processTable';
import { readRunState, removeRunState } from './process/runState';
import { StartDependencies } from './WorkspaceStart';

/** Ends what an earlier run of a workspace left: its recorded guard, and any process with its mark. */
export async function clearWorkspace(
  dependencies: Pick<StartDependencies, 'installation' | 'options'>,
  id: string,
): Promise<void> {
  const { installation, options } = dependencies;
  const paths = installation.of(id);
  const state = await readRunState(paths);
  if (state) {
    await endGuard(state, options.limits.stopTimeoutMs);
  }
  await sweepProcesses(installation.installation, owner => owner === id);
  await removeRunState(paths);
  for (const folder of [paths.run, paths.tmp]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
