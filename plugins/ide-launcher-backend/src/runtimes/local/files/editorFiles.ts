import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  Devfile,
  DevfileCommand,
  DevfileCommandGroup,
} from '../../../devfile/types';
import {
  commandEnvironment,
  commandFolder,
  sourceFolder,
} from '../localDevfile';
import { makeOwnFolder, readOwnFile, writeOwnFile } from './ownFiles';
import { WorkspacePaths } from './WorkspacePaths';

/** First line of a tasks file that the runtime may overwrite. */
const TASKS_HEADER =
  '// Made from the devfile at each start. Delete this line to keep your own changes.';

/** The editor's settings in a new workspace; later changes are the user's. */
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
 * Writes the editor's settings and the devfile's commands as tasks. Both are written at the user
 * level of the editor, so that the projects' folders remain unchanged.
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

/** One entry of VS Code's tasks.json, version 2.0.0. */
interface EditorTask {
  label: string;
  type?: 'shell';
  command?: string;
  options?: { cwd: string; env: Record<string, string> };
  dependsOn?: string[];
  dependsOrder?: 'parallel' | 'sequence';
  group?: { kind: 'build' | 'test'; isDefault: boolean };
  problemMatcher: [];
}

/**
 * Converts the devfile's exec and composite commands to VS Code tasks. Omits commands that apply
 * a component, which have no meaning here.
 *
 * @see https://code.visualstudio.com/docs/debugtest/tasks
 */
export function devfileTasks(
  devfile: Devfile,
  paths: Pick<WorkspacePaths, 'projects'>,
): { version: '2.0.0'; tasks: EditorTask[] } {
  const runnable = runnableCommands(devfile.commands);
  const offered = devfile.commands.filter(({ id }) => runnable.has(id));
  const labels = uniqueLabels(offered);
  return {
    version: '2.0.0',
    tasks: offered.map(command => ({
      label: labels.get(command.id) ?? command.id,
      ...taskBody(devfile, command, labels, paths),
      ...taskGroup(command.group),
      problemMatcher: [],
    })),
  };
}

/**
 * Returns the ids of the commands of which any part can run here. Composites are already checked
 * for cycles.
 */
function runnableCommands(commands: DevfileCommand[]): Set<string> {
  const byId = new Map(commands.map(command => [command.id, command]));
  const known = new Map<string, boolean>();
  const isRunnable = (id: string): boolean => {
    const command = byId.get(id);
    const runnable =
      known.get(id) ??
      (command?.type === 'exec' ||
        (command?.type === 'composite' && command.commands.some(isRunnable)));
    known.set(id, runnable);
    return runnable;
  };
  return new Set([...byId.keys()].filter(isRunnable));
}

function taskBody(
  devfile: Devfile,
  command: DevfileCommand,
  labels: Map<string, string>,
  paths: Pick<WorkspacePaths, 'projects'>,
): Partial<EditorTask> {
  if (command.type === 'exec') {
    return {
      type: 'shell',
      command: command.commandLine,
      options: {
        cwd:
          commandFolder(devfile, command, paths) ??
          sourceFolder(devfile, paths),
        env: commandEnvironment(devfile, command),
      },
    };
  }
  const parts = command.type === 'composite' ? command.commands : [];
  return {
    dependsOn: parts
      .map(id => labels.get(id))
      .filter(label => label !== undefined),
    dependsOrder:
      command.type === 'composite' && command.parallel
        ? 'parallel'
        : 'sequence',
  };
}

/** Returns the VS Code task group of a command. VS Code supports two of the devfile's groups. */
function taskGroup(
  group: DevfileCommandGroup | null,
): Pick<EditorTask, 'group'> {
  return group?.kind === 'build' || group?.kind === 'test'
    ? { group: { kind: group.kind, isDefault: group.isDefault } }
    : {};
}

/**
 * Returns a unique label per command. VS Code identifies tasks by label, devfiles identify
 * commands by id.
 */
function uniqueLabels(commands: DevfileCommand[]): Map<string, string> {
  const texts = commands.map(({ id, label }) => label ?? id);
  return new Map(
    commands.map(({ id }, index) => [
      id,
      texts.indexOf(texts[index]) === texts.lastIndexOf(texts[index])
        ? texts[index]
        : `${texts[index]} (${id})`,
    ]),
  );
}
