import type { FlagName } from './flags';

export function environmentPath(flag: FlagName, environment: string): string {
  return `${projectPath(flag)}/environments/${encodeURIComponent(environment)}`;
}

export function projectPath(flag: FlagName): string {
  return `/projects/${encodeURIComponent(flag.project)}${featurePath(flag.name)}`;
}

export function featurePath(name: string): string {
  return `/features/${encodeURIComponent(name)}`;
}
