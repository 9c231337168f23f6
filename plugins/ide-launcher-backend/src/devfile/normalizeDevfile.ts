import { nameFromUrl } from './address';
import { DevfileFault, DevfilePath, quote } from './issue';
import { LIMITS } from './parseDevfile';
import {
  MergedDevfile,
  RawCommand,
  RawComponent,
  RawProject,
  RawStarterProject,
} from './schema/devfile';
import {
  Devfile,
  DevfileCommand,
  DevfileCommandGroup,
  DevfileComponent,
  DevfileContainer,
  DevfileEndpoint,
  DevfileProject,
  DevfileStarterProject,
} from './types';

/** Spaces are trimmed afterwards; matching them here would take cubic time. */
const REFERENCE = /\{\{([^{}]*)\}\}/g;

/**
 * Paths where the specification forbids variables: identity, identifiers, references to
 * identifiers, and enumerations. `*` matches any index.
 */
const EXCLUDED = new Set([
  'schemaVersion',
  'metadata',
  'attributes',
  'variables',
  'events',
  ...['components', 'commands', 'projects', 'dependentProjects'].map(
    list => `${list}.*.attributes`,
  ),
  'starterProjects.*.attributes',
  'components.*.name',
  'components.*.container.volumeMounts.*.name',
  ...['container', 'kubernetes', 'openshift'].flatMap(type =>
    ['name', 'exposure', 'protocol', 'attributes'].map(
      field => `components.*.${type}.endpoints.*.${field}`,
    ),
  ),
  'components.*.image.dockerfile.git.checkoutFrom.remote',
  'commands.*.id',
  'commands.*.exec.component',
  'commands.*.exec.group',
  'commands.*.apply.component',
  'commands.*.apply.group',
  'commands.*.composite.commands',
  'commands.*.composite.group',
  ...['projects', 'dependentProjects', 'starterProjects'].flatMap(list => [
    `${list}.*.name`,
    `${list}.*.git.checkoutFrom.remote`,
  ]),
]);

/**
 * Replaces `{{name}}` by the value of a variable in all texts where the specification allows it.
 * References inside values are not replaced. An unknown name is only a warning, because `{{…}}`
 * is also used for other purposes in command lines.
 *
 * @returns the devfile with its variables replaced; `warnings` lists references to unknown variables.
 */
export function substituteVariables(devfile: MergedDevfile): {
  devfile: MergedDevfile;
  warnings: DevfileFault[];
  faults: DevfileFault[];
} {
  const { variables = {} } = devfile;
  const warnings: DevfileFault[] = [];
  let characters = 0;

  const replace = (text: string, path: DevfilePath): string =>
    text.replace(REFERENCE, (reference, inner: string) => {
      const name = inner.trim();
      if (!Object.hasOwn(variables, name)) {
        const message = `no variable named ${quote(name)}; it is left unchanged`;
        warnings.push({ path, message });
        return reference;
      }
      characters += variables[name].length;
      return characters > LIMITS.characters ? '' : variables[name];
    });

  /** Rewrites a value; `place` is its path with `*` for indices. */
  const visit = (value: unknown, path: DevfilePath, place: string): unknown => {
    if (EXCLUDED.has(place)) {
      return value;
    }
    if (typeof value === 'string') {
      return replace(value, path);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        visit(item, [...path, index], `${place}.*`),
      );
    }
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        visit(child, [...path, key], place ? `${place}.${key}` : key),
      ]),
    );
  };

  const replaced = visit(devfile, [], '') as MergedDevfile;
  if (characters > LIMITS.characters) {
    const message = 'replacing them makes the file too large';
    return { devfile, warnings, faults: [{ path: ['variables'], message }] };
  }
  return { devfile: replaced, warnings, faults: [] };
}

/**
 * Normalizes a project, selecting the remote to clone from. Relies on validation: a project has a
 * git or a zip source, and names a remote if there are several.
 */
function normalizeProject(
  project: RawProject | RawStarterProject,
): DevfileProject {
  const { name, git, zip } = project;
  const clonePath = ('clonePath' in project && project.clonePath) || null;
  if (!git) {
    return { name, type: 'zip', clonePath, location: zip?.location ?? '' };
  }
  const remotes = Object.entries(git.remotes).map(([remote, url]) => ({
    name: remote,
    url,
  }));
  const chosen =
    remotes.find(remote => remote.name === git.checkoutFrom?.remote) ??
    remotes[0];
  return {
    name,
    type: 'git',
    clonePath,
    remote: chosen,
    otherRemotes: remotes.filter(remote => remote !== chosen),
    revision: git.checkoutFrom?.revision ?? null,
  };
}

/** Normalizes a starter project: like {@link normalizeProject}, with the additional fields. */
function normalizeStarterProject(
  project: RawStarterProject,
): DevfileStarterProject {
  const { description = null, subDir } = project;
  return {
    ...normalizeProject(project),
    description,
    ...(subDir ? { subDir } : {}),
  };
}

type RawContainer = NonNullable<RawComponent['container']>;
type RawEndpoint = NonNullable<RawContainer['endpoints']>[number];

function normalizeEndpoint(endpoint: RawEndpoint): DevfileEndpoint {
  return {
    name: endpoint.name,
    targetPort: endpoint.targetPort,
    exposure: endpoint.exposure ?? 'public',
    protocol: endpoint.protocol ?? 'http',
    path: endpoint.path ?? null,
    secure: endpoint.secure ?? false,
  };
}

function normalizeContainer(container: RawContainer): DevfileContainer {
  return {
    image: container.image,
    env: container.env ?? [],
    endpoints: (container.endpoints ?? []).map(normalizeEndpoint),
    memoryLimit: container.memoryLimit ?? null,
    cpuLimit: container.cpuLimit ?? null,
    // A container with a dedicated pod does not mount the project's volume unless requested.
    mountSources: container.mountSources ?? !container.dedicatedPod,
    sourceMapping: container.sourceMapping ?? null,
    command: container.command ?? [],
    args: container.args ?? [],
    volumeMounts: (container.volumeMounts ?? []).map(({ name, path }) => ({
      name,
      path: path ?? null,
    })),
  };
}

/** Fills in the defaults of a component. */
function normalizeComponent(component: RawComponent): DevfileComponent {
  const { name, container, volume, kubernetes, openshift, image } = component;
  if (container) {
    return {
      name,
      type: 'container',
      container: normalizeContainer(container),
    };
  }
  if (volume) {
    const { size = null, ephemeral = false } = volume;
    return { name, type: 'volume', size, ephemeral };
  }
  if (image) {
    return { name, type: 'image', imageName: image.imageName };
  }
  const source = kubernetes ?? openshift;
  return {
    name,
    type: kubernetes ? 'kubernetes' : 'openshift',
    detail: source?.uri ?? 'inlined',
  };
}

interface Labelled {
  label?: string;
  group?: { kind: DevfileCommandGroup['kind']; isDefault?: boolean };
}

function normalizeBase(id: string, { label, group }: Labelled) {
  return {
    id,
    label: label ?? null,
    group: group
      ? { kind: group.kind, isDefault: group.isDefault ?? false }
      : null,
  };
}

/** Fills in the defaults of a command. */
function normalizeCommand(command: RawCommand): DevfileCommand {
  const { id, exec, apply, composite = {} } = command;
  if (exec) {
    return {
      ...normalizeBase(id, exec),
      type: 'exec',
      commandLine: exec.commandLine,
      component: exec.component,
      workingDir: exec.workingDir ?? null,
      env: exec.env ?? [],
    };
  }
  if (apply) {
    return {
      ...normalizeBase(id, apply),
      type: 'apply',
      component: apply.component,
    };
  }
  return {
    ...normalizeBase(id, composite),
    type: 'composite',
    commands: composite.commands ?? [],
    parallel: composite.parallel ?? false,
  };
}

/**
 * Converts a valid devfile to the form that runtimes use: no missing lists, all defaults filled
 * in.
 *
 * @param devfile - A valid devfile, with its parent merged and its variables replaced.
 * @param url - Its address, from which the name is derived if the devfile has none.
 */
export function normalizeDevfile(devfile: MergedDevfile, url: URL): Devfile {
  const { metadata = {} } = devfile;
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
      preStart: [],
      postStart: [],
      preStop: [],
      postStop: [],
      ...devfile.events,
    },
  };
}
