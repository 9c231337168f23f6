import { readFileSync } from 'node:fs';
import Ajv from 'ajv';
import { devfileWithParent, fullDevfile } from '../__testUtils__/devfiles';
import { mutate, without } from '../__testUtils__/mutations';
import { RawDevfile } from './devfile';
import { validateDevfile } from '../parseDevfile';
import { checkVersion, SCHEMA_VERSIONS, SchemaVersion } from './versions';

/**
 * The official JSON schema is not part of this repository. With its path in
 * SLIPWAY_DEVFILE_SCHEMA (the `devfile.json` of a version, from the releases of
 * github.com/devfile/api), thousands of devfiles are validated with both schemas.
 */
const schemaPath = process.env.SLIPWAY_DEVFILE_SCHEMA;

function compileOracle(path: string) {
  const schema = JSON.parse(readFileSync(path, 'utf8'));
  const version = SCHEMA_VERSIONS.find(known =>
    String(schema.title).includes(`Version ${known}`),
  );
  if (!version) {
    throw new Error(`${path} is of an unknown version`);
  }
  // The schema's patterns are not legal with the `u` flag.
  const ajv = new Ajv({ strict: false, unicodeRegExp: false });
  return { version, accepts: ajv.compile(schema) };
}

/** Intended differences: devfiles that we reject although the official schema accepts them. */
const INTENDED = [
  // Only supported versions are accepted, not any semantic version.
  /^schemaVersion/,
  // Its pattern accepts anything that begins with "latest"; parents by id are rejected
  // anyway.
  /^parent\.version/,
];

function withoutImages<T extends { image?: unknown }>(
  components: T[] = [],
): T[] {
  return components.filter(({ image }) => !image);
}

/** Returns only the parts of a devfile that a version supports. */
function asOfVersion(
  devfile: RawDevfile,
  schemaVersion: SchemaVersion,
): unknown {
  const { parent } = devfile;
  const document =
    schemaVersion < '2.2.0'
      ? {
          ...devfile,
          schemaVersion,
          // Metadata is open, so older versions accept later fields of it with any shape.
          metadata: { name: 'app', version: '1.0.0' },
          components: withoutImages(devfile.components),
          parent: parent && {
            ...parent,
            components: withoutImages(parent.components),
          },
        }
      : { ...devfile, schemaVersion };
  return checkVersion(document).reduce<unknown>(
    (kept, { path }) => without(kept, [...path]),
    JSON.parse(JSON.stringify(document)),
  );
}

if (!schemaPath) {
  // eslint-disable-next-line no-console
  console.warn(
    'SLIPWAY_DEVFILE_SCHEMA is not set: the devfile schema is not compared with the official one',
  );
}

describe.skipIf(!schemaPath)('official devfile schema', () => {
  it('agrees about devfiles that differ from valid ones in one place', () => {
    const { version, accepts } = compileOracle(schemaPath ?? '');
    const disagreements: string[] = [];
    let compared = 0;
    let accepted = 0;
    for (const base of [fullDevfile(), devfileWithParent()]) {
      const document = asOfVersion(base, version);
      const mutations = [{ label: 'unchanged', value: document }];
      for (const { label, value } of [...mutations, ...mutate(document)]) {
        if (INTENDED.some(pattern => pattern.test(label))) {
          continue;
        }
        const ours = validateDevfile(value).ok;
        const theirs = accepts(value);
        compared += 1;
        if (theirs) {
          accepted += 1;
        }
        if (ours !== theirs) {
          disagreements.push(`${label}: ${ours ? 'accepted' : 'refused'} here`);
        }
      }
    }
    expect(disagreements).toEqual([]);
    expect(compared).toBeGreaterThan(1_000);
    expect(accepted).toBeGreaterThan(200);
  });
});
