import { readFileSync } from 'node:fs';

/** The metadata of a service for everything that runs, calls or tests it. */
interface ServiceManifest {
  /** Lower-case with hyphens. */
  name: string;
  title: string;
  /** The top-level key of its configuration section: its name in camel case. */
  configKey: string;
  /** The port that it listens on unless the configuration sets another. */
  port: number;
}

/**
 * Reads the metadata of a service: the name of its package and the `slipway` member of its
 * package.json.
 */
export function readManifest(packageJson: URL): ServiceManifest {
  const manifest: {
    name: string;
    slipway: { title: string; port: number };
  } = JSON.parse(readFileSync(packageJson, 'utf8'));
  const { title, port } = manifest.slipway;
  const name = manifest.name.slice(manifest.name.indexOf('/') + 1);
  return { name, title, configKey: toCamelCase(name), port };
}

/** Converts a name to camel case: `build-server` becomes `buildServer`. */
function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}
