import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawCommand, RawDevfile } from '../schema/devfile';
import { COMMAND_TYPES, COMPONENT_TYPES } from '../schema/elements';

type ComponentType = (typeof COMPONENT_TYPES)[number];

const APPLICABLE: readonly ComponentType[] = [
  'container',
  'kubernetes',
  'openshift',
  'image',
];

/** Checks commands and events, and the environment variables of commands and containers. */
export function* checkCommands(devfile: RawDevfile): Iterable<DevfileFault> {
  yield* checkEnvironment(devfile);
  yield* checkCommandComponents(devfile);
  yield* checkComposites(devfile);
  yield* checkGroupDefaults(devfile);
  yield* checkEvents(devfile);
}

/** Checks that `exec` commands name a container, and `apply` commands any component but a volume. */
function* checkCommandComponents(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const [index, { exec, apply }] of (devfile.commands ?? []).entries()) {
    const path = ['commands', index];
    if (exec) {
      const place = [...path, 'exec', 'component'];
      yield* checkReference(place, exec.component, ['container'], devfile);
    }
    if (apply) {
      const place = [...path, 'apply', 'component'];
      yield* checkReference(place, apply.component, APPLICABLE, devfile);
    }
  }
}

function* checkReference(
  path: DevfilePath,
  name: string,
  allowed: readonly ComponentType[],
  { components = [] }: RawDevfile,
): Iterable<DevfileFault> {
  const found = components.find(component => component.name === name);
  if (!found) {
    yield { path, message: `no component named ${quote(name)}` };
  } else if (!allowed.some(type => found[type])) {
    const type = COMPONENT_TYPES.find(candidate => found[candidate]);
    const message = `component ${quote(name)} is of type ${type}; must be ${allowed.join(' or ')}`;
    yield { path, message };
  }
}

/** Variables reserved by the specification; the runtime sets them. */
const RESERVED = new Set(['PROJECTS_ROOT', 'PROJECT_SOURCE']);
/** Names accepted by `execve` and shells: no `=`, no NUL, not empty. */
const VARIABLE_NAME = /^[^=\p{Cc}\s]+$/u;

/** Checks that environment variables of containers and commands have valid names that are not reserved. */
function* checkEnvironment(devfile: RawDevfile): Iterable<DevfileFault> {
  for (const [index, { container }] of (devfile.components ?? []).entries()) {
    yield* checkVariables(['components', index, 'container'], container?.env);
  }
  for (const [index, { exec }] of (devfile.commands ?? []).entries()) {
    yield* checkVariables(['commands', index, 'exec'], exec?.env);
  }
}

function* checkVariables(
  path: DevfilePath,
  env: { name: string; value: string }[] = [],
): Iterable<DevfileFault> {
  for (const [position, { name, value }] of env.entries()) {
    const message = describeVariable(name, value);
    if (message) {
      yield { path: [...path, 'env', position, 'name'], message };
    }
  }
}

function describeVariable(name: string, value: string): string | null {
  if (RESERVED.has(name)) {
    return `${quote(name)} is set by the platform and cannot be changed`;
  }
  if (!VARIABLE_NAME.test(name)) {
    return `${quote(name)} cannot be the name of an environment variable`;
  }
  return value.includes('\0')
    ? `the value of ${quote(name)} must not contain a NUL character`
    : null;
}

/** Checks that each kind of group has at most one default command. */
function* checkGroupDefaults(devfile: RawDevfile): Iterable<DevfileFault> {
  const defaults = new Map<string, string>();
  for (const [index, command] of (devfile.commands ?? []).entries()) {
    const type = COMMAND_TYPES.find(candidate => command[candidate]);
    const group = type && command[type]?.group;
    if (type && group?.isDefault) {
      const other = defaults.get(group.kind);
      if (other === undefined) {
        defaults.set(group.kind, command.id);
      } else {
        const path = ['commands', index, type, 'group', 'isDefault'];
        const message = `command ${quote(other)} is already the default of kind ${group.kind}`;
        yield { path, message };
      }
    }
  }
}

/** The maximum number of commands that a command or an event runs, each counted as often as it runs. */
const MAX_RUNS = 1_000;

/**
 * Checks that composite commands contain only existing commands and never themselves, and that no
 * command or event runs more than {@link MAX_RUNS} commands.
 */
function* checkComposites(devfile: RawDevfile): Iterable<DevfileFault> {
  const { commands = [] } = devfile;
  const parts = new Map(
    commands.map(({ id, composite }) => [id, composite?.commands ?? []]),
  );
  const faults = [
    ...checkCompositeReferences(commands, parts),
    ...checkCompositeCycles(commands, parts),
  ];
  // Runs can only be counted if all commands exist and no cycle is left.
  yield* faults.length > 0 ? faults : checkRuns(devfile, parts);
}

/** The ids of the commands that each composite command runs, by its own id. */
type Parts = ReadonlyMap<string, readonly string[]>;

/** Returns the path, within a devfile, of the list of a composite command's commands. */
const partsPath = (index: number) => [
  'commands',
  index,
  'composite',
  'commands',
];

/** Checks that the commands of composite commands exist. */
function* checkCompositeReferences(
  commands: RawCommand[],
  parts: Parts,
): Iterable<DevfileFault> {
  for (const [index, { composite }] of commands.entries()) {
    for (const [position, id] of (composite?.commands ?? []).entries()) {
      if (!parts.has(id)) {
        const message = `no command with the id ${quote(id)}`;
        yield { path: [...partsPath(index), position], message };
      }
    }
  }
}

/** Checks that no composite command contains itself, directly or indirectly. */
function* checkCompositeCycles(
  commands: RawCommand[],
  parts: Parts,
): Iterable<DevfileFault> {
  const finished = new Set<string>();
  const findCycle = (id: string, trail: string[]): string[] | null => {
    if (trail.includes(id)) {
      return [...trail.slice(trail.indexOf(id)), id];
    }
    if (finished.has(id)) {
      return null;
    }
    for (const next of parts.get(id) ?? []) {
      const cycle = findCycle(next, [...trail, id]);
      if (cycle) {
        return cycle;
      }
    }
    finished.add(id);
    return null;
  };
  for (const [index, { id }] of commands.entries()) {
    const cycle = findCycle(id, []);
    // Do not report commands that lead to a cycle without being part of it.
    if (cycle?.[0] === id) {
      const message = `contains itself: ${cycle.join(' → ')}`;
      yield { path: partsPath(index), message };
    }
  }
}

/**
 * The command type of each event. Before the containers run and after they are gone, nothing can be
 * executed, so those events require `apply`; the other two require `exec`.
 */
const EVENTS = [
  ['preStart', 'apply'],
  ['postStart', 'exec'],
  ['preStop', 'exec'],
  ['postStop', 'apply'],
] as const;

/**
 * Checks how many commands each command and event runs: thirty levels of composite commands that
 * each contain the next level twice would run a billion commands.
 */
function* checkRuns(
  { commands = [], events }: RawDevfile,
  parts: Parts,
): Iterable<DevfileFault> {
  const known = new Map<string, number>();
  const total = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => {
      const runs = known.get(id) ?? 1 + total(parts.get(id) ?? []);
      known.set(id, runs);
      return sum + runs;
    }, 0);
  // Reports only the innermost list over the limit, not the commands that contain it.
  const isInnermostOver = (runs: number, ids: readonly string[]) =>
    runs > MAX_RUNS && !ids.some(id => total([id]) > MAX_RUNS);

  for (const [index, { id }] of commands.entries()) {
    if (isInnermostOver(total([id]), parts.get(id) ?? [])) {
      const message = `${quote(id)} runs more than ${MAX_RUNS} commands`;
      yield { path: partsPath(index), message };
    }
  }
  for (const [event] of EVENTS) {
    const ids = events?.[event] ?? [];
    if (isInnermostOver(total(ids), ids)) {
      const message = `${event} runs more than ${MAX_RUNS} commands`;
      yield { path: ['events', event], message };
    }
  }
}

/**
 * Returns a function that finds the first command of the wrong type among those that a command runs.
 * Visits each command once, however often it is run.
 */
function unfitFinder(
  commands: Map<string, RawCommand>,
  type: 'exec' | 'apply',
): (command: RawCommand) => RawCommand | undefined {
  const known = new Map<string, RawCommand | undefined>();
  const find = (command: RawCommand): RawCommand | undefined => {
    if (!command.composite) {
      return command[type] ? undefined : command;
    }
    if (!known.has(command.id)) {
      // Ends the recursion if the command contains itself, which is reported separately.
      known.set(command.id, undefined);
      for (const id of command.composite.commands ?? []) {
        const part = commands.get(id);
        const unfit = part && find(part);
        if (unfit) {
          known.set(command.id, unfit);
          break;
        }
      }
    }
    return known.get(command.id);
  };
  return find;
}

/** Checks that the commands of events exist and can run at that time. */
function* checkEvents(devfile: RawDevfile): Iterable<DevfileFault> {
  const commands = new Map(devfile.commands?.map(item => [item.id, item]));
  for (const [event, type] of EVENTS) {
    const findUnfit = unfitFinder(commands, type);
    for (const [index, id] of (devfile.events?.[event] ?? []).entries()) {
      const path = ['events', event, index];
      const command = commands.get(id);
      const unfit = command && findUnfit(command);
      if (!command) {
        yield { path, message: `no command with the id ${quote(id)}` };
      } else if (unfit) {
        const through = unfit.id === id ? '' : ` through ${quote(unfit.id)}`;
        const message = `command ${quote(id)} is not of type ${type}${through}; ${event} runs ${type} commands only`;
        yield { path, message };
      }
    }
  }
}
