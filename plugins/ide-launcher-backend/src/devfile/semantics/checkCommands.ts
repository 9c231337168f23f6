import { DevfileFault, DevfilePath, quote } from '../issue';
import { RawCommand, RawComponent, RawDevfile } from '../schema/devfile';
import { COMMAND_TYPES, COMPONENT_TYPES } from '../schema/elements';

type ComponentType = (typeof COMPONENT_TYPES)[number];

const APPLICABLE: readonly ComponentType[] = [
  'container',
  'kubernetes',
  'openshift',
  'image',
];

function checkReference(
  path: DevfilePath,
  name: string,
  allowed: readonly ComponentType[],
  components: RawComponent[],
): DevfileFault[] {
  const found = components.find(component => component.name === name);
  if (!found) {
    return [{ path, message: `no component named ${quote(name)}` }];
  }
  if (allowed.some(type => found[type])) {
    return [];
  }
  const type = COMPONENT_TYPES.find(candidate => found[candidate]);
  return [
    {
      path,
      message: `component ${quote(
        name,
      )} is of type ${type}; must be ${allowed.join(' or ')}`,
    },
  ];
}

/** Checks that `exec` commands name a container, and `apply` commands any component but a volume. */
export function checkCommandComponents(devfile: RawDevfile): DevfileFault[] {
  const { commands = [], components = [] } = devfile;
  return commands.flatMap(({ exec, apply }, index) => [
    ...(exec
      ? checkReference(
          ['commands', index, 'exec', 'component'],
          exec.component,
          ['container'],
          components,
        )
      : []),
    ...(apply
      ? checkReference(
          ['commands', index, 'apply', 'component'],
          apply.component,
          APPLICABLE,
          components,
        )
      : []),
  ]);
}

/** Checks that each kind of group has at most one default command. */
export function checkGroupDefaults(devfile: RawDevfile): DevfileFault[] {
  const defaults = new Map<string, string>();
  return (devfile.commands ?? []).flatMap((command, index) => {
    const type = COMMAND_TYPES.find(candidate => command[candidate]);
    if (!type) {
      return [];
    }
    const group = command[type]?.group;
    if (!group?.isDefault) {
      return [];
    }
    const other = defaults.get(group.kind);
    if (other === undefined) {
      defaults.set(group.kind, command.id);
      return [];
    }
    return [
      {
        path: ['commands', index, type, 'group', 'isDefault'],
        message: `command ${quote(other)} is already the default of kind ${
          group.kind
        }`,
      },
    ];
  });
}

/** The maximum number of commands that a command or an event runs, each counted as often as it runs. */
const MAX_RUNS = 1_000;

/**
 * Checks that composite commands contain only existing commands and never themselves, and that no
 * command or event runs more than {@link MAX_RUNS} commands.
 */
export function checkComposites(devfile: RawDevfile): DevfileFault[] {
  const faults = [
    ...checkCompositeReferences(devfile),
    ...checkCompositeCycles(devfile),
  ];
  // Runs can only be counted if all commands exist and no cycle is left.
  return faults.length > 0 ? faults : checkRuns(devfile);
}

/** Checks that the commands of composite commands exist. */
function checkCompositeReferences(devfile: RawDevfile): DevfileFault[] {
  const { commands = [] } = devfile;
  const ids = new Set(commands.map(({ id }) => id));
  return commands.flatMap(({ composite }, index) =>
    (composite?.commands ?? []).flatMap((id, position) =>
      ids.has(id)
        ? []
        : [
            {
              path: ['commands', index, 'composite', 'commands', position],
              message: `no command with the id ${quote(id)}`,
            },
          ],
    ),
  );
}

/** Checks that no composite command contains itself, directly or indirectly. */
function checkCompositeCycles(devfile: RawDevfile): DevfileFault[] {
  const { commands = [] } = devfile;
  const children = new Map(
    commands.map(({ id, composite }) => [id, composite?.commands ?? []]),
  );
  const finished = new Set<string>();

  const findCycle = (id: string, trail: string[]): string[] | null => {
    if (trail.includes(id)) {
      return [...trail.slice(trail.indexOf(id)), id];
    }
    if (finished.has(id)) {
      return null;
    }
    for (const next of children.get(id) ?? []) {
      const cycle = findCycle(next, [...trail, id]);
      if (cycle) {
        return cycle;
      }
    }
    finished.add(id);
    return null;
  };

  return commands.flatMap(({ id }, index) => {
    const cycle = findCycle(id, []);
    // Do not report commands that lead to a cycle without being part of it.
    if (!cycle || cycle[0] !== id) {
      return [];
    }
    return [
      {
        path: ['commands', index, 'composite', 'commands'],
        message: `contains itself: ${cycle.join(' → ')}`,
      },
    ];
  });
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
function checkRuns({ commands = [], events }: RawDevfile): DevfileFault[] {
  const parts = new Map(
    commands.map(({ id, composite }) => [id, composite?.commands ?? []]),
  );
  const known = new Map<string, number>();
  const total = (ids: readonly string[]): number =>
    ids.reduce((sum, id) => {
      const runs = known.get(id) ?? 1 + total(parts.get(id) ?? []);
      known.set(id, runs);
      return sum + runs;
    }, 0);
  const isTooMany = (id: string) => total([id]) > MAX_RUNS;

  return [
    ...commands.flatMap(({ id, composite }, index) =>
      // Reported only for the innermost command over the limit, not for those that contain it.
      isTooMany(id) && !composite?.commands?.some(isTooMany)
        ? [
            {
              path: ['commands', index, 'composite', 'commands'],
              message: `${quote(id)} runs more than ${MAX_RUNS} commands`,
            },
          ]
        : [],
    ),
    ...EVENTS.flatMap(([event]) => {
      const ids = events?.[event] ?? [];
      return total(ids) > MAX_RUNS && !ids.some(isTooMany)
        ? [
            {
              path: ['events', event],
              message: `${event} runs more than ${MAX_RUNS} commands`,
            },
          ]
        : [];
    }),
  ];
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
export function checkEvents(devfile: RawDevfile): DevfileFault[] {
  const commands = new Map(devfile.commands?.map(item => [item.id, item]));
  return EVENTS.flatMap(([event, type]) => {
    const findUnfit = unfitFinder(commands, type);
    return (devfile.events?.[event] ?? []).flatMap(
      (id, index): DevfileFault[] => {
        const path = ['events', event, index];
        const command = commands.get(id);
        if (!command) {
          return [{ path, message: `no command with the id ${quote(id)}` }];
        }
        const unfit = findUnfit(command);
        if (!unfit) {
          return [];
        }
        const through = unfit.id === id ? '' : ` through ${quote(unfit.id)}`;
        return [
          {
            path,
            message: `command ${quote(
              id,
            )} is not of type ${type}${through}; ${event} runs ${type} commands only`,
          },
        ];
      },
    );
  });
}
