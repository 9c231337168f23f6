import { z } from 'zod';

/** Pattern of every name and id: a DNS label that may begin with a digit. */
const NAME_PATTERN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** A name or id. */
export const name = z.string().max(63).regex(NAME_PATTERN);

/** Free-form attributes; whoever reads them defines their shape. */
export const attributes = z.record(z.string(), z.unknown());

/** A map of text to text. */
export const stringMap = z.record(z.string(), z.string());

/** An environment variable. */
export const envVar = z.strictObject({ name: z.string(), value: z.string() });

/** An environment variable in an override, which may leave the value as it is. */
export const envVarOverride = envVar.partial({ value: true });
