import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

/** The commands that a composite command names exist. */
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

/** No composite command contains itself, directly or through others. */
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
    // Commands that merely lead to the cycle are not at fault.
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
