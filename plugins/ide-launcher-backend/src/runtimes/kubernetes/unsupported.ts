import { Devfile, DevfileComponent } from '../../devfile/types';

/** What the DevWorkspace Operator will not do with a devfile, in sentences for people. */
export function describeUnsupported(devfile: Devfile): string[] {
  const { components, events } = devfile;
  return [
    ...components.flatMap(describeComponent),
    ...(components.some(({ type }) => type === 'container')
      ? []
      : ['No container is described; the editor runs in a general one.']),
    ...describeEventCommands(devfile),
    ...(events.postStop.length > 0
      ? ['The commands of the postStop event are not run.']
      : []),
  ];
}

function describeComponent(component: DevfileComponent): string[] {
  switch (component.type) {
    case 'image':
      return [`Image "${component.imageName}" is not built.`];
    case 'container':
      return component.container.endpoints
        .filter(({ protocol }) => protocol === 'tcp' || protocol === 'udp')
        .map(
          ({ name, protocol }) =>
            `Endpoint "${name}" (${protocol}) cannot be opened in the browser.`,
        );
    default:
      return [];
  }
}

/** The operator refuses to start a workspace whose event commands have variables of their own. */
function describeEventCommands({ commands, events }: Devfile): string[] {
  const ofEvents = new Set([...events.postStart, ...events.preStop]);
  return commands.flatMap(command =>
    command.type === 'exec' &&
    ofEvents.has(command.id) &&
    command.env.length > 0
      ? [
          `Command "${command.id}" runs on an event and sets variables, which the cluster does not allow; the workspace may fail to start.`,
        ]
      : [],
  );
}
