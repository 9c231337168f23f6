import { Type } from 'typebox';
import { Epoch, nullable } from '../jenkins/schemas.ts';

const approval = {
  step: Type.String(),
  message: Type.String(),
  state: Type.String({ enum: ['waiting', 'approved', 'rejected'] }),
  openedAt: Epoch,
  by: Type.Union(
    [
      Type.Array(Type.String({ description: 'Users and groups.' })),
      Type.Null(),
    ],
    { description: 'Who may decide; null for whoever may trigger the job.' },
  ),
  inputs: Type.Array(
    Type.Object(
      { name: Type.String(), kind: Type.String() },
      { additionalProperties: true },
    ),
  ),
  expired: Type.Boolean({
    description: 'Whether its step has ended without a decision.',
  }),
  decidable: Type.Boolean({ description: 'Whether the caller may decide.' }),
  decidedBy: nullable(Type.String()),
  decidedAt: nullable(Epoch),
  comment: nullable(Type.String()),
  values: Type.Record(Type.String(), Type.String()),
};

export const ApprovalsAnswer = Type.Object({
  approvals: Type.Array(Type.Object(approval)),
});

export const WaitingAnswer = Type.Object({
  approvals: Type.Array(
    Type.Object({
      ...approval,
      job: Type.String(),
      number: Type.Integer({ description: 'Number of the build.' }),
      url: Type.String({ description: 'Address of the build.' }),
    }),
  ),
});

export const DecisionBody = Type.Object({
  step: Type.String({ minLength: 1, maxLength: 400 }),
  decision: Type.Unsafe<'approve' | 'reject'>(
    Type.String({ enum: ['approve', 'reject'] }),
  ),
  comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
  inputs: Type.Optional(
    Type.Record(Type.String({ maxLength: 100 }), Type.String()),
  ),
});
