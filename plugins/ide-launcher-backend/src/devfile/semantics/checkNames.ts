import { DevfileFault, quote } from '../issue';
import { RawDevfile } from '../schema/devfile';

function findDuplicates(
  list: string,
  field: 'name' | 'id',
  values: string[],
): DevfileFault[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    return first === index
      ? []
      : [
          {
            path: [list, index, field],
            message: `${quote(value)} is already used by ${list}[${first}]`,
          },
        ];
  });
}

/** Names and ids are unique within their list. */
export function checkNames(devfile: RawDevfile): DevfileFault[] {
  const names = (items: { name: string }[] = []) => items.map(i => i.name);
  return [
    ...findDuplicates('components', 'name', names(devfile.components)),
    ...findDuplicates(
      'commands',
      'id',
      (devfile.commands ?? []).map(({ id }) => id),
    ),
    ...findDuplicates('projects', 'name', names(devfile.projects)),
    ...findDuplicates(
      'dependentProjects',
      'name',
      names(devfile.dependentProjects),
    ),
    ...findDuplicates(
      'starterProjects',
      'name',
      names(devfile.starterProjects),
    ),
  ];
}
