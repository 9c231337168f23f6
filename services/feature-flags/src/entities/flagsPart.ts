import {
  componentNaming,
  type EntityScope,
  type EntitySummary,
  type Fact,
  isoOf,
  namesIn,
  type Need,
  type TimelineItem,
} from '@slipway/entity-contract';
import type { Caller, EntityPart } from '@slipway/service-kit';
import type { ChangeRequest } from '../model/ChangeRequest.ts';
import { type Flag, stateOf } from '../model/Flag.ts';
import { LIFETIME_DAYS, lifetimeEndOf } from '../model/Lifecycle.ts';
import type { History, HistoryEvent } from '../storage/History.ts';

/** Names the flags of a component, separated by commas; a name may end in `*`. */
const ANNOTATION = 'slipway.dev/flags';

const CHANGES_PAGE = '/flags/changes';

/** Summarises the flags named in the annotations of an entity's components. */
export function flagsPart(options: {
  flags: { list(options: { archived: boolean }): Promise<Flag[]> };
  history: Pick<History, 'changesOf'>;
  /** Lists the change requests that a user may approve. */
  toReview: (user: Caller) => Promise<readonly ChangeRequest[]>;
  /**
   * Returns a function that maps a flag to the owner of its project, an entity reference; undefined
   * if it has none.
   */
  readOwners: () => Promise<(flag: string) => string | undefined>;
  /** The production environment, if there is one, decides whether a flag counts as on. */
  environments: { list(): Promise<readonly { name: string; type: string }[]> };
  /** The environment that decides in an installation without a production environment. */
  environment: string;
  now: () => number;
}): EntityPart {
  const { flags, history, toReview, readOwners, environments, now } = options;

  async function flagsOf(
    scope: EntityScope,
    { archived }: { archived: boolean },
  ): Promise<Flag[]> {
    const names = namesIn(scope, ANNOTATION);
    const all = names.length === 0 ? [] : await flags.list({ archived });
    return all.filter(flag => names.some(name => isNamed(flag.name, name)));
  }

  return {
    async summary(scope, caller): Promise<EntitySummary> {
      const ownerOf = await readOwners();
      // A flag may be named by no component, or by several.
      const entityOf = (flag: string) =>
        componentOf(scope, flag) ?? ownerOf(flag);
      const reviews =
        scope.kind === 'user'
          ? (await toReview(caller)).map(request =>
              reviewOf(request, entityOf(request.flag)),
            )
          : [];
      if (namesIn(scope, ANNOTATION).length === 0) {
        return {
          state: 'unconnected',
          message: `Name its flags in the annotation ${ANNOTATION}, e.g. checkout.*.`,
          page: '/flags',
          facts: [],
          needs: reviews,
        };
      }
      const own = await flagsOf(scope, { archived: false });
      const to = now() + 1;
      const [last] = await history.changesOf(
        own.map(({ name }) => name),
        { from: 0, to, limit: 1 },
      );
      const stale = own.filter(flag => isStale(flag, now()));
      const production = (await environments.list()).find(
        ({ type }) => type === 'production',
      );
      const environment = production?.name ?? options.environment;
      return {
        state: verdictOf(own, stale),
        page: '/flags',
        facts: factsOf(own, { stale: stale.length, last, environment }),
        needs: [
          ...reviews,
          ...stale.map(flag => needOf(flag, entityOf(flag.name))),
        ],
      };
    },

    async timeline(scope, query): Promise<TimelineItem[]> {
      if (!query.kinds.has('flag')) {
        return [];
      }
      const [used, archived] = await Promise.all([
        flagsOf(scope, { archived: false }),
        flagsOf(scope, { archived: true }),
      ]);
      const names = [...used, ...archived].map(({ name }) => name);
      const found = await history.changesOf(names, {
        ...query,
        limit: query.limit + 1,
      });
      return found.map(change => itemOf(change, scope));
    },
  };
}

function verdictOf(
  own: readonly Flag[],
  stale: readonly Flag[],
): EntitySummary['state'] {
  if (stale.length > 0) {
    return 'warning';
  }
  return own.length > 0 ? 'good' : 'quiet';
}

function componentOf(scope: EntityScope, flag: string): string | undefined {
  return componentNaming(scope, ANNOTATION, name => isNamed(flag, name));
}

function isNamed(flag: string, name: string): boolean {
  return name.endsWith('*')
    ? flag.startsWith(name.slice(0, -1))
    : flag === name;
}

/** Checks whether a flag is marked as stale, or older than expected for its type. */
function isStale(flag: Flag, now: number): boolean {
  return flag.stale || now >= (lifetimeEndOf(flag) ?? Infinity);
}

function factsOf(
  own: readonly Flag[],
  options: {
    stale: number;
    last: HistoryEvent | undefined;
    environment: string;
  },
): Fact[] {
  const { stale, last, environment } = options;
  return [
    { id: 'flags', label: 'Flags', kind: 'count', value: own.length },
    {
      id: 'on',
      label: `On in ${environment}`,
      kind: 'count',
      value: own.filter(flag => stateOf(flag, environment).enabled).length,
    },
    {
      id: 'stale',
      label: 'Stale',
      kind: 'count',
      value: stale,
      ...(stale > 0 && { tone: 'warning' as const }),
    },
    ...(last
      ? [
          {
            id: 'last',
            label: 'Last change',
            kind: 'text' as const,
            value: wordsOf(last).title,
            at: isoOf(last.createdAt),
            by: last.createdBy,
            page: pageOf(last.subject),
          },
        ]
      : []),
  ];
}

function needOf(flag: Flag, entityRef: string | undefined): Need {
  const { name, type, stale, updatedAt } = flag;
  const overdueAt = stale ? undefined : lifetimeEndOf(flag);
  return {
    key: `flag-stale:${name}`,
    kind: 'flag-stale',
    title: `${name} is stale`,
    detail:
      overdueAt === undefined
        ? 'Marked as stale'
        : `A ${type} flag should be gone after ${LIFETIME_DAYS.get(type)} days`,
    at: isoOf(overdueAt ?? updatedAt),
    tone: 'warning',
    page: pageOf(name),
    action: 'View flag',
    ...(entityRef && { entityRef }),
  };
}

function reviewOf(request: ChangeRequest, entityRef: string | undefined): Need {
  const { id, flag, environment, updatedAt } = request;
  return {
    key: `change-request:${id}`,
    kind: 'approval-pending',
    title: `A change to ${flag} in ${environment} needs your approval`,
    at: isoOf(updatedAt),
    tone: 'warning',
    page: CHANGES_PAGE,
    action: 'Review',
    ...(entityRef && { entityRef }),
  };
}

function itemOf(change: HistoryEvent, scope: EntityScope): TimelineItem {
  const { title, state } = wordsOf(change);
  const entityRef = componentOf(scope, change.subject);
  return {
    id: `flag:${change.id}`,
    kind: 'flag',
    at: isoOf(change.createdAt),
    title,
    state,
    by: change.createdBy,
    page: pageOf(change.subject),
    ...(entityRef && { entityRef }),
    neighbours: [],
  };
}

function wordsOf(change: HistoryEvent): { title: string; state: string } {
  const { type, subject: flag, environment, before, after } = change;
  if (type === 'feature-created') {
    return { title: `${flag} created`, state: 'Created' };
  }
  if (type === 'feature-archived') {
    return { title: `${flag} archived`, state: 'Archived' };
  }
  if (type === 'feature-revived') {
    return { title: `${flag} restored`, state: 'Restored' };
  }
  const isOn = isEnabled(after);
  if (isOn !== undefined && isOn !== isEnabled(before)) {
    const state = isOn ? 'On' : 'Off';
    const where = environment === null ? '' : ` in ${environment}`;
    return { title: `${flag} turned ${state.toLowerCase()}${where}`, state };
  }
  return { title: `${flag} changed`, state: 'Changed' };
}

/** Returns whether a flag is on in a state from the history; undefined if the state does not say. */
function isEnabled(state: object | null): boolean | undefined {
  return (state as { enabled?: boolean } | null)?.enabled;
}

function pageOf(flag: string): string {
  return `/flags/flag/${encodeURIComponent(flag)}`;
}
