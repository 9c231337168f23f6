import { z } from 'zod';

const MAX_NAME_LENGTH = 512;

/** Free text of a query; what is empty or blank counts as not given. */
export const optionalText = z
  .string('must be given once')
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .regex(/^\P{Cc}*$/u, 'must not contain control characters')
  .transform(text => text.trim() || undefined)
  .optional();

/** A scope's name; `all`, as answers call it, means everything. */
const optionalScope = optionalText.transform(name =>
  name === 'all' ? undefined : name,
);

/** The parameters that narrow a question to some services. */
export const scopeShape = {
  project: optionalScope,
  team: optionalScope,
  service: optionalText,
};

/** Raw dates; `parsePeriod` judges them, for it knows the zone and the time. */
export const periodShape = {
  startDate: z.string('must be given once').optional(),
  endDate: z.string('must be given once').optional(),
};

/** `limit`: how many items an answer holds. */
export function limitSchema(options: { default: number; max: number }) {
  const error = `must be a whole number from 1 to ${options.max}`;
  return z
    .string(error)
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine(limit => limit >= 1 && limit <= options.max, error)
    .default(options.default);
}

/** `true` or `false`. */
export const optionalFlag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform(flag => flag === 'true')
  .optional();
