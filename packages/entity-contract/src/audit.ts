import { type Static, Type } from 'typebox';

/** Maximum and default number of entries in a response. */
export const AUDIT_LIMITS = { most: 500, usual: 200 } as const;

/** One entry of an audit log: who did what to what, and when. */
const auditEntrySchema = Type.Object({
  id: Type.String({ description: 'Unique in its part.' }),
  at: Type.String({ format: 'date-time' }),
  by: Type.String({
    description:
      'Entity reference of a user, or the name of a credential: `token:ci`, `key:automation`.',
  }),
  action: Type.String({ description: 'e.g. `Create a token`.' }),
  target: Type.Union([Type.String(), Type.Null()], {
    description: 'What was changed; null where the action names nothing.',
  }),
});
export type AuditEntry = Static<typeof auditEntrySchema>;

/** Response of `GET /api/v1/audit`, newest first. */
export const auditAnswerSchema = Type.Object({
  entries: Type.Array(auditEntrySchema),
  truncated: Type.Boolean({
    description: 'There are more entries in the period.',
  }),
});
export type AuditAnswer = Static<typeof auditAnswerSchema>;
