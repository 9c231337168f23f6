import { DevfileFault } from '../issue';
import { RawDevfile } from '../schema/devfile';

const MAX_NAME_LENGTH = 253;
const MAX_VERSION_LENGTH = 255;

/**
 * The schema leaves `metadata.name` open. It is shown and used in names of
 * workspaces, so it must not look like a path nor hide characters. Both it and
 * the version are bounded, because the schema bounds neither.
 */
export function checkMetadata(devfile: RawDevfile): DevfileFault[] {
  return [...checkName(devfile), ...checkVersion(devfile)];
}

function checkVersion({ metadata }: RawDevfile): DevfileFault[] {
  return (metadata?.version?.length ?? 0) > MAX_VERSION_LENGTH
    ? [
        {
          path: ['metadata', 'version'],
          message: `must be at most ${MAX_VERSION_LENGTH} characters long`,
        },
      ]
    : [];
}

function checkName(devfile: RawDevfile): DevfileFault[] {
  const name = devfile.metadata?.name;
  if (name === undefined) {
    return [];
  }
  const path = ['metadata', 'name'];
  if (/[/\\\p{Cc}\p{Cf}]/u.test(name)) {
    return [
      { path, message: 'must not contain slashes or control characters' },
    ];
  }
  return name.length > MAX_NAME_LENGTH
    ? [{ path, message: `must be at most ${MAX_NAME_LENGTH} characters long` }]
    : [];
}
