import path from 'node:path';
import { createConfigSecretEnumerator } from '@backstage/backend-defaults/rootConfig';
import { mockServices } from '@backstage/backend-test-utils';
import {
  type ConfigSchema,
  ConfigSources,
  FileConfigSource,
  loadConfigSchema,
} from '@backstage/config-loader';
import { repositoryRoot } from '@slipway/dev-runner/src/layout.ts';
import { secretsOf } from './rootLogger';

/** The parts of JSON Schema that schemas of configurations use. */
interface Schema {
  visibility?: string;
  deepVisibility?: string;
  $ref?: string;
  definitions?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema;
  anyOf?: Schema[];
}

/**
 * Returns the paths of secrets in a schema: `*` matches every key or index, `**` everything below.
 */
function pathsIn(root: Schema): string[] {
  const paths: string[] = [];
  const walk = (
    schema: Schema,
    place: readonly string[],
    refs: readonly string[] = [],
  ): void => {
    const { $ref, visibility, deepVisibility, ...parts } = schema;
    const { properties = {}, additionalProperties, items, anyOf = [] } = parts;
    if (visibility === 'secret') {
      paths.push(place.join('.'));
    }
    if (deepVisibility === 'secret') {
      paths.push([...place, '**'].join('.'));
    }
    for (const [name, each] of Object.entries(properties)) {
      walk(each, [...place, name], refs);
    }
    for (const each of [additionalProperties, items]) {
      if (typeof each === 'object') {
        walk(each, [...place, '*'], refs);
      }
    }
    anyOf.forEach(each => walk(each, place, refs));
    const referenced = $ref && root.definitions?.[$ref.split('/').at(-1)!];
    // Some schemas are recursive.
    if (referenced && !refs.includes($ref)) {
      walk(referenced, place, [...refs, $ref]);
    }
  };
  walk(root, []);
  return paths;
}

describe('the log of the portal', () => {
  let schema: ConfigSchema;

  beforeAll(async () => {
    schema = await loadConfigSchema({ dependencies: ['@slipway/backend'] });
  });

  it('redacts what the schemas of all packages declare as secret', async () => {
    const { schemas } = schema.serialize() as unknown as {
      schemas: { value: Schema }[];
    };
    const declared = new Set(schemas.flatMap(({ value }) => pathsIn(value)));
    // After an upgrade, update the list: npx vitest run -u <this file>
    await expect(
      `${JSON.stringify([...declared].sort(), null, 2)}\n`,
    ).toMatchFileSnapshot('secretPaths.json');
  });

  it.each(['app-config.yaml', 'app-config.production.yaml'])(
    'finds the secrets of %s that Backstage finds',
    async file => {
      const config = await ConfigSources.toConfig(
        FileConfigSource.create({
          path: path.join(repositoryRoot, file),
          substitutionFunc: async name => `value of ${name}`,
        }),
      );
      const find = await createConfigSecretEnumerator({
        logger: mockServices.rootLogger(),
        schema,
      });
      const found = [...find(config)];
      expect(found.length).toBeGreaterThan(0);
      expect([...secretsOf(config.get())]).toEqual(
        expect.arrayContaining(found),
      );
    },
  );

  it('finds secrets in lists, below any key and written as numbers', () => {
    const config = {
      auth: { providers: { oidc: { production: { clientSecret: 'one' } } } },
      backend: { auth: { keys: [{ secret: 'two' }, { secret: 12345 }] } },
      deliveryLake: { webhooks: { gitea: { secrets: ['three', 'four'] } } },
      app: { title: 'Slipway' },
    };
    expect([...secretsOf(config)].sort()).toEqual(
      ['one', 'two', '12345', 'three', 'four'].sort(),
    );
  });
});
