import { z } from 'zod';
import { exactlyOneOf } from './exactlyOneOf';
import { attributes, envVar, envVarOverride, name } from './primitives';

/** The forms of a command. */
export const COMMAND_TYPES = ['exec', 'apply', 'composite'] as const;

const group = z.strictObject({
  kind: z.enum(['build', 'run', 'test', 'debug', 'deploy']),
  isDefault: z.boolean().optional(),
});
const groupOverride = group.partial({ kind: true });

const exec = z.strictObject({
  commandLine: z.string(),
  component: z.string(),
  env: z.array(envVar).optional(),
  group: group.optional(),
  hotReloadCapable: z.boolean().optional(),
  label: z.string().optional(),
  workingDir: z.string().optional(),
});

const apply = z.strictObject({
  component: z.string(),
  group: group.optional(),
  label: z.string().optional(),
});

const composite = z.strictObject({
  commands: z.array(z.string()).optional(),
  group: group.optional(),
  label: z.string().optional(),
  parallel: z.boolean().optional(),
});

/** An element of `commands`. */
export const command = exactlyOneOf(
  z.strictObject({
    id: name,
    attributes: attributes.optional(),
    exec: exec.optional(),
    apply: apply.optional(),
    composite: composite.optional(),
  }),
  COMMAND_TYPES,
);

/** An element of `parent.commands`. */
export const commandOverride = exactlyOneOf(
  z.strictObject({
    id: name,
    attributes: attributes.optional(),
    exec: exec
      .partial({ commandLine: true, component: true })
      .extend({
        env: z.array(envVarOverride).optional(),
        group: groupOverride.optional(),
      })
      .optional(),
    apply: apply
      .partial({ component: true })
      .extend({ group: groupOverride.optional() })
      .optional(),
    composite: composite.extend({ group: groupOverride.optional() }).optional(),
  }),
  COMMAND_TYPES,
);
