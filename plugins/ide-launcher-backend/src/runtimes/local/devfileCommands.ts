import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  Devfile,
  DevfileCommand,
  DevfileCommandGroup,
} from '../../devfile/types';
import { StartReporter } from '../WorkspaceRuntime';
import { makeOwnFolder, readOwnFile, writeOwnFile } from './files/ownFiles';
import { WorkspacePaths } from './files/WorkspacePaths';
import { commandEnvironment, commandFolder } from './localDevfile';
import { ProgramRunner } from './process/programs';

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
 * Returns the ids of the commands that can run here at least in part. Composites have already been
 * checked for cycles.
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
        cwd: commandFolder(devfile, command, paths),
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

/** Options for running the commands of the postStart event. */
interface PostStartOptions {
  devfile: Devfile;
  paths: WorkspacePaths;
  /** Environment of the workspace; each command adds its own variables. */
  env: Record<string, string>;
  /** Runs a program in the editor's environment. */
  run: ProgramRunner;
  timeoutMs: number;
  reporter: StartReporter;
  signal: AbortSignal;
}

/** Declares the steps of the postStart commands before anything runs. */
export function declarePostStart(
  devfile: Devfile,
  reporter: StartReporter,
): void {
  for (const command of postStartCommands(devfile)) {
    reporter.step({ ...commandStep(command), state: 'pending' });
  }
}

/**
 * Runs the commands of the postStart event in order. A failed command becomes a warning with its
 * cause, and the others still run.
 */
export async function runPostStart(options: PostStartOptions): Promise<void> {
  const { devfile, reporter, signal } = options;
  for (const command of postStartCommands(devfile)) {
    if (signal.aborted) {
      return;
    }
    const step = commandStep(command);
    reporter.step({ ...step, state: 'running', message: commandText(command) });
    const failure = await runCommand(command, options).catch(
      error => `it could not be run: ${error.message}`,
    );
    if (signal.aborted) {
      return;
    }
    if (failure) {
      const message = `${step.title} failed: ${failure}`;
      reporter.step({ ...step, state: 'warning', message });
      reporter.log('command', message);
    } else {
      reporter.step({ ...step, state: 'done', message: null });
    }
  }
}

function postStartCommands(devfile: Devfile): DevfileCommand[] {
  return devfile.events.postStart.flatMap(
    id => devfile.commands.find(command => command.id === id) ?? [],
  );
}

function commandStep(command: DevfileCommand) {
  return {
    id: `command:${command.id}`,
    title: `Run ${command.label ?? command.id}`,
  };
}

function commandText(command: DevfileCommand): string | null {
  return command.type === 'exec' ? command.commandLine : null;
}

async function runCommand(
  command: DevfileCommand,
  options: PostStartOptions,
): Promise<string | null> {
  if (command.type === 'exec') {
    return runExec(command, options);
  }
  if (command.type === 'apply') {
    return `it applies the component "${command.component}", which is not run here`;
  }
  const parts = command.commands.flatMap(
    id => options.devfile.commands.find(part => part.id === id) ?? [],
  );
  if (command.parallel) {
    const failures = await Promise.all(
      parts.map(part => runCommand(part, options)),
    );
    return failures.find(failure => failure !== null) ?? null;
  }
  for (const part of parts) {
    const failure = await runCommand(part, options);
    if (failure) {
      return failure;
    }
  }
  return null;
}

function runExec(
  command: Extract<DevfileCommand, { type: 'exec' }>,
  { devfile, paths, env, run, timeoutMs, reporter, signal }: PostStartOptions,
): Promise<string | null> {
  const cwd = commandFolder(devfile, command, paths);
  if (!existsSync(cwd)) {
    const place = path.relative(paths.projects, cwd);
    return Promise.resolve(`its folder ${place} is not in the workspace`);
  }
  reporter.log('command', `$ ${command.commandLine}`);
  return run({
    command: [env.SHELL, '-c', command.commandLine],
    cwd,
    env: { ...env, ...commandEnvironment(devfile, command) },
    timeoutMs,
    signal,
    onLine: line => reporter.log('command', line),
  });
}
