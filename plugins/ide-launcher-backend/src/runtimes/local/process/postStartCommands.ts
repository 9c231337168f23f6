import { existsSync } from 'node:fs';
import path from 'node:path';
import { Devfile, DevfileCommand } from '../../../devfile/types';
import { StartReporter } from '../../WorkspaceRuntime';
import {
  commandEnvironment,
  commandFolder,
  sourceFolder,
} from '../localDevfile';
import { WorkspacePaths } from '../files/WorkspacePaths';
import { ProgramRunner } from './runInWorkspace';

type ExecCommand = Extract<DevfileCommand, { type: 'exec' }>;

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
  command: ExecCommand,
  { devfile, paths, env, run, timeoutMs, reporter, signal }: PostStartOptions,
): Promise<string | null> {
  const cwd =
    commandFolder(devfile, command, paths) ?? sourceFolder(devfile, paths);
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
