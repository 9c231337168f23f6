import { existsSync } from 'node:fs';
import path from 'node:path';
import { Devfile } from '../../devfile/types';
import { devfileTasks } from './devfileTasks';
import { makeOwnFolder, readOwnFile, writeOwnFile } from './ownFiles';
import { WorkspacePaths } from './WorkspacePaths';

/** First line of a tasks file that is ours to rewrite. */
const TASKS_HEADER =
  '// Made from the devfile at each start. Delete this line to keep your own changes.';

/** The editor's settings in a new workspace; afterwards they are the user's. */
const INITIAL_SETTINGS = {
  'chat.disableAIFeatures': true,
  'chat.agentHost.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
};

/**
 * Writes the editor's settings and the devfile's commands as tasks. Both go to
 * the user's level of the editor: the projects' folders stay as they were
 * cloned.
 */
export async function writeEditorFiles(
  devfile: Devfile,
  paths: WorkspacePaths,
): Promise<void> {
  const folder = await makeOwnFolder(paths.userData, 'User');
  const settings = path.join(folder, 'settings.json');
  if (!existsSync(settings)) {
    await writeOwnFile(settings, toJson(INITIAL_SETTINGS));
  }
  const tasks = path.join(folder, 'tasks.json');
  const present = await readOwnFile(tasks);
  if (present === null || present.startsWith(TASKS_HEADER)) {
    await writeOwnFile(
      tasks,
      `${TASKS_HEADER}\n${toJson(devfileTasks(devfile, paths))}`,
    );
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
