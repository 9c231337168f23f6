import { type LakeClient, LakeRequestError } from './LakeClient.ts';
import type { Progress } from './Progress.ts';

/** Maximum number of fields to show, those in the most deliveries first. */
const MAX_SHOWN = 20;

interface LoginField {
  login: string;
  field: string;
  deliveries: number;
}

/** The counts for one part of the deliveries. */
interface Part {
  position: number | null;
  read: number;
  total: number;
  deliveries: number;
  named: number;
  fields: LoginField[];
}

function isField(value: unknown): value is LoginField {
  const { login, field, deliveries } = (value ?? {}) as Partial<LoginField>;
  return (
    typeof login === 'string' &&
    typeof field === 'string' &&
    Number.isSafeInteger(deliveries)
  );
}

/**
 * Returns whether a response is a part whose position is after the previous one, so that the loop
 * ends.
 */
function isPart(answer: unknown, after: number): answer is Part {
  const { position, fields, ...counts } = (answer ?? {}) as Partial<Part>;
  const { read, total, deliveries, named } = counts;
  return (
    (position === null ||
      (Number.isSafeInteger(position) && position! > after)) &&
    [read, total, deliveries, named].every(Number.isSafeInteger) &&
    Array.isArray(fields) &&
    fields.every(isField)
  );
}

/**
 * Counts the deliveries that deleting the names of a person would empty. Changes nothing.
 *
 * @returns a description of several lines for the terminal.
 * @throws LakeRequestError
 */
export async function previewDeletion(options: {
  names: readonly string[];
  client: LakeClient;
  progress: Progress;
}): Promise<string> {
  const { names, client, progress } = options;
  const sum = { read: 0, total: 0, deliveries: 0, named: 0 };
  const fields = new Map<string, LoginField>();
  for (let after: number | null = 0; after !== null;) {
    const body = { names, after };
    const part: unknown = await client.post('/people/deletions/preview', body);
    if (!isPart(part, after)) {
      throw new LakeRequestError('The portal did not answer with counts');
    }
    sum.read += part.read;
    sum.total = part.total;
    sum.deliveries += part.deliveries;
    sum.named += part.named;
    for (const { login, field, deliveries } of part.fields) {
      const key = `${login} ${field}`;
      const before = fields.get(key)?.deliveries ?? 0;
      fields.set(key, { login, field, deliveries: before + deliveries });
    }
    progress.update(sum.read, sum.total, `${sum.read} of ${sum.total}`);
    after = part.position;
  }
  return describe(sum, [...fields.values()]);
}

function describe(
  sum: { read: number; deliveries: number; named: number },
  fields: LoginField[],
): string {
  const shown = fields
    .sort((a, b) => b.deliveries - a.deliveries)
    .slice(0, MAX_SHOWN)
    .map(
      ({ login, field, deliveries }) =>
        `  ${deliveries} with ${printable(login)} as the whole text of ${
          field === '' ? 'the body' : `the field ${printable(field)}`
        }`,
    );
  const left = fields.length - shown.length;
  return [
    `${sum.deliveries} of ${sum.read} deliveries would lose their body, which cannot be undone:`,
    `  ${sum.named} with a full name, an address, or a login that must mean a user`,
    ...shown,
    ...(left > 0 ? [`  Fields with a login that are not shown: ${left}`] : []),
    ...(fields.length > 0
      ? [
          'A login that is also the name of a branch or repository empties all deliveries about it:',
          'leave it out, or give the entity ref instead, such as user:default/ada.',
        ]
      : []),
    'The names in events, deployments, changes and incidents are deleted, too.',
    '',
  ].join('\n');
}

/** Replaces control characters, because senders choose the keys in their deliveries. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, '\ufffd');
}
