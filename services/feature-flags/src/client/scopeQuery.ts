import type { TokenScope } from '../model/ApiToken.ts';
import type { Flag } from '../model/Flag.ts';

/** A filter that narrows the flags of a token to those that an SDK requests. */
export interface FeatureFilter {
  /** Names of projects. */
  readonly project?: readonly string[];
  readonly namePrefix?: string;
  /** `type:value`; a flag with any of them is shown. */
  readonly tag?: readonly string[];
}

/** The flags that a response contains. */
export interface ScopeQuery {
  readonly environment: string;
  /** A cache key: the same for the same filters in any order. */
  readonly key: string;
  includes(flag: Pick<Flag, 'name' | 'project' | 'tags'>): boolean;
}

/** The filter included in a response. */
interface EchoedQuery {
  readonly project: readonly string[];
  readonly environment: string;
  readonly namePrefix?: string;
  readonly tag?: readonly (readonly [string, string])[];
}

/** Returns the query for a token and a filter, which can only narrow the scope of the token. */
export function scopeQuery(
  { projects, environment }: TokenScope,
  { project: asked = [], namePrefix, tag: tags = [] }: FeatureFilter = {},
): ScopeQuery & { readonly echo: EchoedQuery } {
  const wanted = namesIn(asked);
  const isAll = wanted.length === 0 || wanted.includes('*');
  const shown =
    projects[0] === '*'
      ? wanted
      : projects.filter(name => wanted.includes(name));
  const project = isAll ? projects : shown;
  const tag = namesIn(tags).map(readTag);
  const prefix = namePrefix ?? '';
  const echo: EchoedQuery = {
    project,
    environment,
    ...(namePrefix && { namePrefix }),
    ...(tag.length > 0 && { tag }),
  };
  return {
    environment,
    echo,
    key: JSON.stringify(echo),
    includes: flag =>
      (project[0] === '*' || project.includes(flag.project)) &&
      flag.name.startsWith(prefix) &&
      (tag.length === 0 ||
        flag.tags.some(own =>
          tag.some(([type, value]) => own.type === type && own.value === value),
        )),
  };
}

function namesIn(list: readonly string[]): string[] {
  return [...new Set(list)].filter(name => name !== '').sort();
}

/** Parses `type:value`; a tag without a colon has the default type. */
function readTag(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  return colon === -1
    ? ['simple', text]
    : [text.slice(0, colon), text.slice(colon + 1)];
}
