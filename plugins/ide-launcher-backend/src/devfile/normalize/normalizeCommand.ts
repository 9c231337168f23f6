import { RawCommand } from '../schema/devfile';
import { DevfileCommand, DevfileCommandGroup } from '../types';

interface Labelled {
  label?: string;
  group?: { kind: DevfileCommandGroup['kind']; isDefault?: boolean };
}

function normalizeBase(id: string, { label, group }: Labelled) {
  return {
    id,
    label: label ?? null,
    group: group
      ? { kind: group.kind, isDefault: group.isDefault ?? false }
      : null,
  };
}

/** Fills the defaults of a command in. */
export function normalizeCommand(command: RawCommand): DevfileCommand {
  const { id, exec, apply, composite = {} } = command;
  if (exec) {
    return {
      ...normalizeBase(id, exec),
      type: 'exec',
      commandLine: exec.commandLine,
      component: exec.component,
      workingDir: exec.workingDir ?? null,
      env: exec.env ?? [],
    };
  }
  if (apply) {
    return {
      ...normalizeBase(id, apply),
      type: 'apply',
      component: apply.component,
    };
  }
  return {
    ...normalizeBase(id, composite),
    type: 'composite',
    commands: composite.commands ?? [],
    parallel: composite.parallel ?? false,
  };
}
