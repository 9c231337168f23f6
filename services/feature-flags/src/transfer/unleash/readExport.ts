import { parseInstant } from '@slipway/entity-contract';
import type { Dependency, FlagTraits, Link } from '../../model/Flag.ts';
import type { Findings } from '../Findings.ts';
import type {
  BundledFlag,
  BundledSegment,
  BundledState,
  FlagBundle,
} from '../FlagBundle.ts';
import { readStates, type Target } from './readStates.ts';
import type { Exported } from './schemas.ts';

/**
 * Reads an export of Unleash. Missing parts of the export are never guessed: a missing part is an
 * error if flags would mean something else without it, otherwise a warning.
 */
export function readUnleashExport(
  data: Exported,
  target: Target,
  findings: Findings,
): FlagBundle {
  noteDuplicates(data, findings);
  const states = readStates(data, target, findings);
  const relations = readRelations(data, findings);
  const features = data.features.filter(({ name, archived }) => {
    if (archived) {
      findings.warn('Archived flags are left out', name);
    }
    return !archived;
  });
  noteDropped(data, findings);
  return {
    flags: features.map(feature =>
      readFlag(feature, {
        project: target.project ?? feature.project,
        states: states.get(feature.name) ?? {},
        relations: relations(feature.name),
      }),
    ),
    segments: readSegments(data, target),
    contextFields: (data.contextFields ?? []).map(
      ({ name, description, stickiness, sortOrder, legalValues }) => ({
        name,
        description: description ?? '',
        stickiness: stickiness ?? false,
        sortOrder: sortOrder ?? 100,
        legalValues: legalValues ?? [],
      }),
    ),
    environments: target.environment === undefined ? environmentsOf(data) : [],
    projects: target.project === undefined ? projectsOf(data) : [],
  };
}

function noteDuplicates(data: Exported, findings: Findings): void {
  const note = (
    field: keyof Exported,
    key: string,
    values: readonly (string | number)[] = [],
  ) => findings.errorIfRepeated({ field, key }, values);
  note(
    'features',
    'name',
    data.features.map(({ name }) => name),
  );
  note(
    'featureEnvironments',
    'flag and environment',
    data.featureEnvironments?.map(
      ({ featureName, environment }) => `${featureName} in ${environment}`,
    ),
  );
  note(
    'segments',
    'name',
    data.segments?.map(({ name }) => name),
  );
  note(
    'segments',
    'id',
    data.segments?.map(({ id }) => id),
  );
  note(
    'contextFields',
    'name',
    data.contextFields?.map(({ name }) => name),
  );
  note(
    'environments',
    'name',
    data.environments?.map(({ name }) => name),
  );
  note(
    'projects',
    'id',
    data.projects?.map(({ id }) => id),
  );
}

function readFlag(
  feature: Exported['features'][number],
  {
    project,
    states,
    relations,
  }: {
    project: string | undefined;
    states: Readonly<Record<string, BundledState>>;
    relations: Partial<FlagTraits>;
  },
): BundledFlag {
  const { name, description, type, stale, impressionData } = feature;
  const createdAt = parseInstant(feature.createdAt ?? '');
  return {
    name,
    ...(project !== undefined && { project }),
    states,
    traits: {
      description: description ?? '',
      type: type ?? 'release',
      stale: stale ?? false,
      impressionData: impressionData ?? false,
      ...relations,
    },
    ...(createdAt !== undefined && { createdAt }),
  };
}

/** Reads the tags, parents and links of each flag; kinds that the export lacks are omitted. */
function readRelations(
  data: Exported,
  findings: Findings,
): (flag: string) => Partial<FlagTraits> {
  const tags = Map.groupBy(data.featureTags ?? [], each => each.featureName);
  const parents = Map.groupBy(data.dependencies ?? [], each => each.feature);
  const links = Map.groupBy(data.links ?? [], each => each.feature);
  return flag => ({
    ...(data.featureTags && {
      tags: (tags.get(flag) ?? []).map(tag => ({
        type: tag.tagType ?? tag.type ?? 'simple',
        value: tag.tagValue ?? tag.value ?? '',
      })),
    }),
    ...(data.dependencies && {
      dependencies: readParents(
        flag,
        (parents.get(flag) ?? []).flatMap(each => each.dependencies),
        findings,
      ),
    }),
    ...(data.links && {
      links: readLinks(
        flag,
        (links.get(flag) ?? []).flatMap(each => each.links),
        findings,
      ),
    }),
  });
}

/** Reads the parents of a flag without duplicates: Unleash repeats each for every strategy of the flag. */
function readParents(
  flag: string,
  sent: readonly Dependency[],
  findings: Findings,
): Dependency[] {
  return [...Map.groupBy(sent, ({ feature }) => feature)].map(
    ([feature, all]) => {
      const [parent, ...others] = all.map(({ enabled, variants = [] }) => ({
        feature,
        enabled,
        ...(enabled && variants.length > 0 && { variants }),
      }));
      const text = JSON.stringify(parent);
      if (others.some(other => JSON.stringify(other) !== text)) {
        findings.error(
          `The export contains contradictory dependencies on ${feature}: keep one of them`,
          flag,
        );
      } else if (others.length > 0) {
        findings.warn('A repeated dependency is imported once', flag);
      }
      return parent;
    },
  );
}

function readLinks(
  flag: string,
  sent: readonly { url: string; title?: string }[],
  findings: Findings,
): Link[] {
  return sent.flatMap(({ url, title }, index) => {
    if (!/^https?:\/\/\S+$/.test(url)) {
      findings.warn('Links that are not web addresses are left out', flag);
      return [];
    }
    return [{ id: `${flag}-${index + 1}`, url, ...(title && { title }) }];
  });
}

function readSegments(
  { segments = [] }: Exported,
  target: Target,
): BundledSegment[] {
  return segments.map(({ name, description, project, constraints }) => ({
    name,
    description: description ?? '',
    // A segment for all projects remains one, even if there is a target project.
    project: project ? (target.project ?? project) : null,
    ...(constraints && { constraints }),
  }));
}

function projectsOf({
  projects = [],
  segments = [],
  features,
}: Exported): FlagBundle['projects'] {
  const named = new Map(projects.map(each => [each.id, each]));
  const ids = new Set([
    ...named.keys(),
    ...[...features, ...segments].flatMap(({ project }) => project ?? []),
  ]);
  return [...ids].map(id => {
    const { name = id, description = '' } = named.get(id) ?? {};
    return { id, name, description, owner: null };
  });
}

function environmentsOf(data: Exported): FlagBundle['environments'] {
  const named = new Map(
    (data.environments ?? []).map(each => [each.name, each]),
  );
  const names = new Set([
    ...named.keys(),
    ...(data.featureEnvironments ?? []).map(each => each.environment),
    ...(data.featureStrategies ?? []).flatMap(each => each.environment ?? []),
  ]);
  return [...names].map(name => {
    const { type, sortOrder, enabled } = named.get(name) ?? {};
    return {
      name,
      type: type ?? (name === 'production' ? name : 'development'),
      sortOrder: sortOrder ?? 100,
      enabled: enabled ?? true,
      protected: false,
      requiredApprovals: 1,
    };
  });
}

function noteDropped(data: Exported, findings: Findings): void {
  for (const { name } of data.tagTypes ?? []) {
    if (name !== 'simple') {
      findings.warn('The icons and colours of tag types are left out', name);
    }
  }
  for (const { name, editable, deprecated } of data.strategies ?? []) {
    if (editable !== false && !deprecated) {
      findings.warn(
        'Definitions of custom strategies are left out: SDKs evaluate them if the application implements them',
        name,
      );
    }
  }
}
