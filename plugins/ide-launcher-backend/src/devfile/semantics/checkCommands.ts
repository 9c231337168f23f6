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

/** Checks that `exec` commands name a container component, and `apply` commands anything but a volume. */
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

/** Checks that the commands of composite commands exist. */
export function checkCompositeReferences(devfile: RawDevfile): DevfileFault[] {
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
export function checkCompositeCycles(devfile: RawDevfile): DevfileFault[] {
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
    // Commands that only lead to the cycle are valid.
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
 * The command type of each event. Nothing can be executed before the containers run or after
 * they are gone, so those events require `apply`, and the other two `exec`.
 */
const EVENTS = [
  ['preStart', 'apply'],
  ['postStart', 'exec'],
  ['preStop', 'exec'],
  ['postStop', 'apply'],
] as const;

function leaves(
  command: RawCommand,
  commands: Map<string, RawCommand>,
  seen = new Set<string>(),
): RawCommand[] {
  if (!command.composite) {
    return [command];
  }
  if (seen.has(command.id)) {
    return [];
  }
  seen.add(command.id);
  return (command.composite.commands ?? []).flatMap(id => {
    const child = commands.get(id);
    return child ? leaves(child, commands, seen) : [];
  });
}

/** Checks that the commands of events exist and can run at that time. */
export function checkEvents(devfile: RawDevfile): DevfileFault[] {
  const commands = new Map(devfile.commands?.map(item => [item.id, item]));
  return EVENTS.flatMap(([event, type]) =>
    (devfile.events?.[event] ?? []).flatMap((id, index): DevfileFault[] => {
      const path = ['events', event, index];
      const command = commands.get(id);
      if (!command) {
        return [{ path, message: `no command with the id ${quote(id)}` }];
      }
      const unfit = leaves(command, commands).find(leaf => !leaf[type]);
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
    }),
  );
}
