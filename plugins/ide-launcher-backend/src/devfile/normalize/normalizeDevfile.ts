import { nameFromUrl } from '../names';
import { RawDevfile } from '../schema/devfile';
import { Devfile } from '../types';
import { normalizeCommand } from './normalizeCommand';
import { normalizeComponent } from './normalizeComponent';
import { normalizeProject, normalizeStarterProject } from './normalizeProject';

/**
 * Turns a checked devfile into what runtimes work with: every list there,
 * every default filled in.
 *
 * @param devfile - Free of faults, its parent merged and its variables replaced.
 * @param url - Where it was read; names a devfile that has no name.
 */
export function normalizeDevfile(devfile: RawDevfile, url: URL): Devfile {
  const { metadata = {}, events = {} } = devfile;
  return {
    flat: devfile,
    schemaVersion: devfile.schemaVersion,
    metadata: {
      name: metadata.name?.trim() || nameFromUrl(url),
      version: metadata.version ?? null,
      displayName: metadata.displayName ?? null,
      description: metadata.description ?? null,
    },
    components: (devfile.components ?? []).map(normalizeComponent),
    commands: (devfile.commands ?? []).map(normalizeCommand),
    projects: (devfile.projects ?? []).map(normalizeProject),
    starterProjects: (devfile.starterProjects ?? []).map(
      normalizeStarterProject,
    ),
    events: {
      preStart: events.preStart ?? [],
      postStart: events.postStart ?? [],
      preStop: events.preStop ?? [],
      postStop: events.postStop ?? [],
    },
  };
}
