import { DevfileFault, DevfilePath, quote } from '../issue';
import { COMMAND_TYPES } from '../schema/command';
import { COMPONENT_TYPES } from '../schema/component';
import { RawComponent, RawDevfile } from '../schema/devfile';

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

/** `exec` runs in a container component, `apply` applies anything but a volume. */
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

/** At most one default command per kind of group. */
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
