import { DevfileFault, quote } from '../issue';
import { RawCommand, RawDevfile } from '../schema/devfile';

/**
 * Before the containers run and after they are gone nothing can be executed in
 * them, so those events take `apply`, and the other two take `exec`.
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

/** The commands that events name exist and can run at that time. */
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
