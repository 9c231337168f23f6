import { isoOf } from '@slipway/entity-contract';
import type { Caller, ScopeReader } from '@slipway/service-kit';
import { type Static, type TSchema, Type } from 'typebox';
import { namesOf } from '../entities/feedbackPart.ts';
import { PeriodEnd, readMoment } from '../periods/TimeSpan.ts';
import type { FeedbackOrder } from '../storage/FeedbackStore.ts';
import { SentimentName, StatusName } from './schemas.ts';

/**
 * Time for which earlier vote counts remain available, so that a reader can page through a list.
 */
export const ORDER_KEPT_MS = 3_600_000;

/** The query of a page of a list. */
export const pages = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
};

/** The query of the order of a list. */
export const orders = {
  sort: Type.Optional(
    Type.Unsafe<'newest' | 'votes'>(
      Type.String({ enum: ['newest', 'votes'], default: 'newest' }),
    ),
  ),
  votes_until: Type.Optional(
    Type.String({
      maxLength: 64,
      description:
        'With `sort=votes`, the `votes_until` of an earlier page, from the last hour: votes since then do not change the order, so that the pages of a list neither repeat nor skip records. The current time by default.',
    }),
  ),
};

const about = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'Entries about one component: its entity reference (which also finds entries with its plain name), or its name. The reference of a system or group finds entries about its components.',
  }),
);

/** Query of the sender's own list. */
export const OwnListQuery = Type.Object({ component: about, ...pages });

/** Query of `GET /api/v1/feedback`. */
export const FeedbackListQuery = Type.Object({
  status: Type.Optional(StatusName),
  category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
  sentiment: Type.Optional(SentimentName),
  q: Type.Optional(Type.String({ maxLength: 200 })),
  awaits_reply: Type.Optional(Type.Boolean()),
  open_for_voting: Type.Optional(Type.Boolean()),
  ...orders,
  component: about,
  start_date: Type.Optional(PeriodEnd),
  end_date: Type.Optional(PeriodEnd),
  ...pages,
});

/** The position of a page in its list. */
export const Pagination = Type.Object({
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
  total_pages: Type.Integer(),
});

/** A page of records. */
export function pageOf<E extends TSchema>(element: E) {
  return Type.Object({
    feedback: Type.Array(element),
    pagination: Pagination,
    votes_until: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'Only with `sort=votes`: the time until which votes are counted for the order.',
      }),
    ),
  });
}

/** Presents a page of a list with its paging information. */
export function presentPage<F, T>(
  found: { feedback: readonly F[]; total: number },
  query: { page: number; per_page: number; order?: FeedbackOrder },
  present: (feedback: F) => T,
) {
  const { order = 'newest' } = query;
  return {
    feedback: found.feedback.map(present),
    pagination: paginate(found.total, query),
    ...(order !== 'newest' && { votes_until: isoOf(order.votesUntil) }),
  };
}

/** Describes the position of a page in a list of a given length. */
export function paginate(
  total: number,
  { page, per_page }: { page: number; per_page: number },
): Static<typeof Pagination> {
  return { page, per_page, total, total_pages: Math.ceil(total / per_page) };
}

/**
 * Reads the order of a list from its query. A time in the future, or so old that its vote counts
 * are no longer available, counts as the current time.
 *
 * @throws InvalidRequestError if the time is invalid.
 */
export function orderOf(
  query: { sort?: 'newest' | 'votes'; votes_until?: string },
  now: number,
): FeedbackOrder {
  if (query.sort !== 'votes') {
    return 'newest';
  }
  // Votes of the current millisecond must be included.
  const latest = now + 1;
  const asked =
    query.votes_until === undefined
      ? latest
      : readMoment(query.votes_until.replace(' ', '+'), 'votes_until');
  const isKnown = asked <= latest && asked > now - ORDER_KEPT_MS;
  return { votesUntil: isKnown ? asked : latest };
}

/**
 * Returns the filter for feedback about a component, or about the components of a system or group.
 * Senders may have used references or names.
 */
export async function aboutEntity(
  { component }: { component?: string },
  { caller, scopeOf }: { caller: Caller; scopeOf: ScopeReader },
): Promise<{ components?: string[] }> {
  if (component === undefined) {
    return {};
  }
  const ref = component.toLowerCase();
  if (/^(system|group):/.test(ref)) {
    return { components: namesOf(await scopeOf(ref, caller)) };
  }
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  return { components: ref.includes(':') ? [ref, name] : [ref] };
}
