import { WebhookUrl } from '@slipway/service-kit';
import { Type } from 'typebox';
import { CLEAN_UP_REASONS, type CleanUpReason } from './reasonsOf.ts';

const MAX_REFERENCES = 10_000;
const MAX_DAYS = 3_660;

const NullableTime = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const Days = (value: number, description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: value, description });

export const CleanUpQuery = Type.Object({
  unusedDays: Days(30, 'Days without evaluations after which it is unused.'),
  settledDays: Days(
    30,
    'Days without changes after which it is on or off everywhere.',
  ),
  project: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
});

const Issue = Type.Object({ number: Type.Integer(), url: Type.String() });
export const IssueAnswer = Issue;

export const CleanUpAnswer = Type.Object({
  canOpenIssues: Type.Boolean({
    description: 'Whether a tracker is configured.',
  }),
  features: Type.Array(
    Type.Object({
      name: Type.String(),
      project: Type.String(),
      type: Type.String(),
      stale: Type.Boolean(),
      createdAt: Type.String({ format: 'date-time' }),
      reasons: Type.Array(
        Type.Unsafe<CleanUpReason>(
          Type.String({ enum: [...CLEAN_UP_REASONS] }),
        ),
      ),
      owner: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      lastUsedAt: NullableTime,
      environments: Type.Array(
        Type.Object({
          name: Type.String(),
          enabled: Type.Boolean(),
          lastUsedAt: NullableTime,
        }),
      ),
      references: Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'Lines of code; null if no code was ever scanned.',
      }),
      issue: Type.Optional(Issue),
    }),
  ),
});

export const FlagPath = Type.Object({
  featureName: Type.String({ minLength: 1, maxLength: 100 }),
});

const reference = {
  path: Type.String({ minLength: 1, maxLength: 1_000 }),
  line: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  text: Type.String({ maxLength: 300 }),
};

export const ScanBody = Type.Object({
  repository: Type.String({ ...WebhookUrl, maxLength: 500 }),
  commit: Type.String({ minLength: 1, maxLength: 100 }),
  references: Type.Array(
    Type.Object({
      flag: Type.String({ minLength: 1, maxLength: 100 }),
      ...reference,
      text: Type.String({ ...reference.text, default: '' }),
    }),
    { maxItems: MAX_REFERENCES },
  ),
});

export const ScanAnswer = Type.Object({
  stored: Type.Integer(),
  unknown: Type.Array(Type.String(), {
    description: 'Flags that do not exist; their references are not stored.',
  }),
});

export const ReferenceList = Type.Object({
  references: Type.Array(
    Type.Object({
      repository: Type.String(),
      commit: Type.String(),
      ...reference,
      url: Type.String(),
      scannedAt: Type.String({ format: 'date-time' }),
    }),
  ),
});
