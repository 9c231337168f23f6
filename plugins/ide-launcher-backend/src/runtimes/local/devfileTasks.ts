import {
  Devfile,
  DevfileCommand,
  DevfileCommandGroup,
} from '../../devfile/types';
import { commandEnvironment, commandFolder } from './devfileEnvironment';
import { sourceFolder } from './projectFolders';
import { WorkspacePaths } from './WorkspacePaths';

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
 * The devfile's exec and composite commands as VS Code tasks. Commands that
 * apply a component have no meaning here and are left out.
 *
 * @see https://code.visualstudio.com/docs/debugtest/tasks
 */
export function devfileTasks(
  devfile: Devfile,
  paths: Pick<WorkspacePaths, 'projects'>,
): { version: '2.0.0'; tasks: EditorTask[] } {
  const offered = devfile.commands.filter(command =>
    isRunnable(devfile, command),
  );
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

/** Whether anything of a command can be run here. Composites are known to have no cycle. */
function isRunnable(devfile: Devfile, command: DevfileCommand): boolean {
  return (
    command.type === 'exec' ||
    (command.type === 'composite' &&
      devfile.commands.some(
        part => command.commands.includes(part.id) && isRunnable(devfile, part),
      ))
  );
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

/** VS Code knows two of the devfile's groups. */
function taskGroup(
  group: DevfileCommandGroup | null,
): Pick<EditorTask, 'group'> {
  return group?.kind === 'build' || group?.kind === 'test'
    ? { group: { kind: group.kind, isDefault: group.isDefault } }
    : {};
}

/** Tasks are told apart by their label, commands by their id. */
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
