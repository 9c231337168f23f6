import {
  type EntityScope,
  type EntitySummary,
  figure,
  isoOf,
  type Need,
  type TimelineItem,
} from '@slipway/entity-contract';
import type { Caller, EntityPart } from '@slipway/service-kit';
import type { FeedbackAccess } from '../access.ts';
import type { Status } from '../feedback/Feedback.ts';
import type {
  ComponentBacklog,
  ComponentFeedback,
  FeedbackMark,
} from '../storage/ComponentFeedback.ts';

const DAY_MS = 86_400_000;
const PERIOD_MS = 30 * DAY_MS;

const STATES: Readonly<Record<Status, string>> = {
  new: 'New',
  validated: 'Validated',
  in_progress: 'In progress',
  resolved: 'Resolved',
  archived: 'Archived',
};

/**
 * Creates the part that reports the feedback about an entity: count and average rating to everyone,
 * like the statistics, and individual entries to admins and their senders. It never includes
 * messages.
 */
export function feedbackPart(options: {
  feedback: ComponentFeedback;
  access: Pick<FeedbackAccess, 'isAdmin'>;
  now: () => number;
}): EntityPart {
  const { feedback, access, now } = options;

  return {
    async summary(scope, caller): Promise<EntitySummary> {
      const names = namesOf(scope);
      const to = now() + 1;
      const from = to - PERIOD_MS;
      const [current, previous, backlog, isAdmin] = await Promise.all([
        feedback.figures(names, { from, to }),
        feedback.figures(names, { from: from - PERIOD_MS, to: from }),
        feedback.backlog(names, { since: from }),
        access.isAdmin(caller),
      ]);
      const page = pageFor({ isAdmin });
      return {
        state: current.entries > 0 ? 'good' : 'quiet',
        page,
        facts: [
          figure({
            id: 'entries',
            label: 'Entries (30 d)',
            kind: 'count',
            value: current.entries,
            ...(previous.entries > 0 && { previous: previous.entries }),
            better: 'neither',
            page,
          }),
          figure({
            id: 'rating',
            label: 'Average rating (30 d)',
            kind: 'count',
            unit: 'of 5',
            value: roundedTo1(current.averageRating),
            previous: roundedTo1(previous.averageRating),
            scale: 'rating',
            better: 'higher',
          }),
          {
            id: 'open',
            label: 'Open',
            kind: 'count',
            value: backlog.reduce((sum, { open }) => sum + open, 0),
          },
        ],
        needs: needsOf(scope, { backlog, isAdmin }),
      };
    },

    async timeline(scope, query, caller): Promise<TimelineItem[]> {
      if (!query.kinds.has('feedback') || caller.kind !== 'user') {
        return [];
      }
      const isAdmin = await access.isAdmin(caller);
      const found = await feedback.list(namesOf(scope), {
        ...query,
        limit: query.limit + 1,
        ...(!isAdmin && { author: caller.id }),
      });
      return found.map(mark => ({
        ...itemOf(mark, { isAdmin, caller }),
        ...componentOf(mark, scope),
      }));
    },

    listsOwnOnly: async caller => !(await access.isAdmin(caller)),
  };
}

/** Returns the names that senders may use for the components: references and plain names. */
export function namesOf({ components }: EntityScope): string[] {
  return components.flatMap(namesOfComponent);
}

function namesOfComponent({
  ref,
  name,
}: EntityScope['components'][number]): string[] {
  return [ref, name.toLowerCase()];
}

/** Returns the component that feedback is about, unless it is the scope itself. */
function componentOf(
  { component }: FeedbackMark,
  { kind, components }: EntityScope,
): Pick<TimelineItem, 'entityRef'> {
  if (kind === 'component') {
    return {};
  }
  const named = components.find(each =>
    namesOfComponent(each).includes(component.toLowerCase()),
  );
  return named ? { entityRef: named.ref } : {};
}

function pageFor({ isAdmin }: { isAdmin: boolean }): string {
  return isAdmin ? '/feedback/triage' : '/feedback/statistics';
}

/**
 * Creates an inbox item for each component with new feedback. It is replaced by another item when
 * more feedback arrives, but not when some of it is triaged.
 */
function needsOf(
  { components }: EntityScope,
  {
    backlog,
    isAdmin,
  }: { backlog: readonly ComponentBacklog[]; isAdmin: boolean },
): Need[] {
  const byName = new Map(backlog.map(part => [part.component, part]));
  return components.flatMap(each => {
    const { ref, title } = each;
    const own = namesOfComponent(each).flatMap(name => byName.get(name) ?? []);
    const fresh = own.flatMap(part => part.fresh ?? []);
    if (fresh.length === 0) {
      return [];
    }
    const count = fresh.reduce((sum, part) => sum + part.count, 0);
    // Entries of any age are counted, but only recent ones start another item.
    const newest =
      own
        .flatMap(part => part.newest ?? [])
        .sort()
        .at(-1) ?? 'earlier';
    return [
      {
        key: `feedback:${ref}:${newest}`,
        kind: 'feedback-new',
        title:
          count === 1
            ? `New feedback about ${title}`
            : `${count} new feedback entries about ${title}`,
        detail: `Lowest rating ${Math.min(...fresh.map(({ lowestRating }) => lowestRating))} of 5`,
        at: isoOf(Math.max(...fresh.map(({ newestAt }) => newestAt))),
        tone: 'warning' as const,
        // Only admins may read the messages.
        ...(isAdmin
          ? {
              page:
                count === 1
                  ? `/feedback/triage/${fresh[0].newest}`
                  : `/feedback/triage?status=new&component=${encodeURIComponent(ref)}`,
              action: 'View feedback',
            }
          : { page: pageFor({ isAdmin }), action: 'View statistics' }),
        entityRef: ref,
      },
    ];
  });
}

function itemOf(
  mark: FeedbackMark,
  { isAdmin, caller }: { isAdmin: boolean; caller: Caller },
): TimelineItem {
  const { id, rating, category, author, status, createdAt } = mark;
  const isOwn = caller.kind === 'user' && author === caller.id;
  return {
    id: `feedback:${id}`,
    kind: 'feedback',
    at: isoOf(createdAt),
    title: `${category}: ${rating} of 5`,
    state: STATES[status],
    ...(rating <= 2 && { tone: 'bad' as const }),
    ...(isAdmin && author !== null && { by: author }),
    page: `/feedback/${isOwn && !isAdmin ? 'mine' : 'triage'}/${id}`,
    neighbours: [],
  };
}

function roundedTo1(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10) / 10;
}
