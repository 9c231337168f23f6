import { z } from 'zod';
import { exactlyOneOf } from './exactlyOneOf';
import { attributes, name, stringMap } from './primitives';

const PROJECT_SOURCES = ['git', 'zip'] as const;

/** A git source. Also used for the source of a Dockerfile. */
export const gitSource = z.strictObject({
  remotes: stringMap,
  checkoutFrom: z
    .strictObject({
      remote: z.string().optional(),
      revision: z.string().optional(),
    })
    .optional(),
});

/** A git source in an override, which may leave the remotes as they are. */
export const gitOverride = gitSource.partial({ remotes: true });

const zipSource = z.strictObject({ location: z.string().optional() });

const projectFields = z.strictObject({
  name,
  attributes: attributes.optional(),
  clonePath: z.string().optional(),
  git: gitSource.optional(),
  zip: zipSource.optional(),
});

const starterProjectFields = z.strictObject({
  name,
  attributes: attributes.optional(),
  description: z.string().optional(),
  subDir: z.string().optional(),
  git: gitSource.optional(),
  zip: zipSource.optional(),
});

/** An element of `projects` and of `dependentProjects`. */
export const project = exactlyOneOf(projectFields, PROJECT_SOURCES);

/** An element of `parent.projects` and of `parent.dependentProjects`. */
export const projectOverride = exactlyOneOf(
  projectFields.extend({ git: gitOverride.optional() }),
  PROJECT_SOURCES,
);

/** An element of `starterProjects`. */
export const starterProject = exactlyOneOf(
  starterProjectFields,
  PROJECT_SOURCES,
);

/** An element of `parent.starterProjects`. */
export const starterProjectOverride = exactlyOneOf(
  starterProjectFields.extend({ git: gitOverride.optional() }),
  PROJECT_SOURCES,
);
