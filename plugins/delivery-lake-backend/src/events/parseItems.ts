import { InputError } from '@backstage/errors';
import { describeIssue, issuePath } from '@slipway/portal-kit';
import { z } from 'zod';
import type { IngestItem } from '../ingest/IngestService';
import { changeSchema, toChangeEvent } from './changeSchema';
import { deploymentSchema, toDeploymentEvent } from './deploymentSchema';
import { incidentSchema, toIncidentEvent } from './incidentSchema';
import { LakeEvent, RecordKind } from './LakeEvent';
import { MAX_BATCH } from './limits';

/** What an item leaves to who sends it and when. */
export interface ItemDefaults {
  /** Default of `source`. */
  source: string;
  /** Milliseconds since the Unix epoch; default of `occurredAt`, where no other time is given. */
  now: number;
}

function reader<T extends z.ZodType>(
  schema: T,
  toEvent: (item: z.output<T>, defaults: ItemDefaults) => LakeEvent,
): (value: unknown, defaults: ItemDefaults) => IngestItem {
  return (value, defaults) => {
    const result = schema.safeParse(value);
    if (result.success) {
      return { event: toEvent(result.data, defaults) };
    }
    const [issue] = result.error.issues;
    return {
      error: describeIssue(issue, value),
      field: issuePath(issue) || undefined,
    };
  };
}

const readers: Record<RecordKind, ReturnType<typeof reader>> = {
  deployment: reader(deploymentSchema, toDeploymentEvent),
  change: reader(changeSchema, toChangeEvent),
  incident: reader(incidentSchema, toIncidentEvent),
};

/**
 * Reads one item of the lake's own JSON, as it stands in a request or on a line of
 * a file to import.
 */
export function parseItem(
  kind: RecordKind,
  value: unknown,
  defaults: ItemDefaults,
): IngestItem {
  return readers[kind](value, defaults);
}

/**
 * Reads the body of an ingest route, one item or an array of them, each by itself.
 *
 * @throws InputError for what is neither, an empty batch, and one that is too large.
 */
export function parseItems(
  kind: RecordKind,
  body: unknown,
  defaults: ItemDefaults,
): IngestItem[] {
  const items: unknown = Array.isArray(body) ? body : [body];
  if (!Array.isArray(items) || items.length === 0) {
    throw new InputError(`The batch is empty; send 1 to ${MAX_BATCH} items`);
  }
  if (items.length > MAX_BATCH) {
    throw new InputError(
      `The batch has ${items.length} items; send at most ${MAX_BATCH} at once`,
    );
  }
  return items.map(item => parseItem(kind, item, defaults));
}
