import { Type } from 'typebox';
import { ISSUE_STATES, type IssueState } from './Issue.ts';

const State = Type.Unsafe<IssueState>(Type.String({ enum: [...ISSUE_STATES] }));
const TextOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const IssueNumber = Type.Object({
  number: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
});

export const IssueAnswer = Type.Object({
  number: Type.Integer(),
  title: Type.String({
    description:
      'Of the words of the sender, who reads it as admins do; others read what it is about.',
  }),
  body: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Markdown; null but for its sender and for admins.',
  }),
  state: State,
  created_at: Type.String({ format: 'date-time' }),
  closed_at: TextOrNull,
  closed_by: TextOrNull,
  feedback_id: TextOrNull,
});

export const IssueListQuery = Type.Object({
  state: Type.Optional(State),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});

export const IssueList = Type.Object({
  issues: Type.Array(IssueAnswer),
  pagination: Type.Object({
    page: Type.Integer(),
    per_page: Type.Integer(),
    total: Type.Integer(),
    total_pages: Type.Integer(),
  }),
});

export const IssueUpdate = Type.Object({ state: State });
