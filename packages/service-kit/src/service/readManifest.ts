import { readFileSync } from 'node:fs';

/** How a service describes itself to all who run, call or test it. */
interface ServiceManifest {
  /** Lower-case with hyphens. */
  name: string;
  title: string;
  /** The top-level key of its section of the configuration: its name in camel case. */
  configKey: string;
  /** The port that it listens on unless its section names another. */
  port: number;
}

/**
 * Reads how a service describes itself: the name of its package, and what its
 * package.json says under `slipway`.
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

/** `build-server` becomes `buildServer`. */
function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_match, letter: string) =>
    letter.toUpperCase(),
  );
}
