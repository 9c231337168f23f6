import type { TimelineItem } from '@slipway/entity-contract';

type Neighbour = TimelineItem['neighbours'][number];

const DAY_MS = 86_400_000;
const MAX_NEIGHBOURS = 4;

/**
 * Merges the items of all parts into one list, newest first and without duplicate ids,
 * and links related ones: items of one commit, the deployment before an incident, and
 * items within a day of a flag change. Deployments of another component are not related by time.
 */
export function joinTimeline(items: readonly TimelineItem[]): TimelineItem[] {
  const unique = new Map(items.map(item => [item.id, item]));
  const sorted = [...unique.values()].sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at),
  );
  const byCommit = new Map<string, TimelineItem[]>();
  for (const item of sorted) {
    if (item.commit !== undefined) {
      const same = byCommit.get(item.commit);
      byCommit.set(item.commit, [...(same ?? []), item]);
    }
  }
  const deployments = sorted.filter(({ kind }) => kind === 'deployment');
  return sorted.map(item => ({
    ...item,
    neighbours: distinct(item, [
      ...item.neighbours,
      ...(byCommit.get(item.commit ?? '') ?? [])
        .filter(({ kind }) => kind !== item.kind)
        .flatMap(neighbourOf),
      ...around(
        item,
        deployments.filter(each => mayConcern(item, each)),
      ),
    ]),
  }));
}

/**
 * Checks whether two items may concern the same component: not if both are known to be of
 * different ones, as on the timeline of a group.
 */
export function mayConcern(
  { entityRef }: Pick<TimelineItem, 'entityRef'>,
  other: Pick<TimelineItem, 'entityRef'>,
): boolean {
  return (
    entityRef === undefined ||
    other.entityRef === undefined ||
    entityRef === other.entityRef
  );
}

/** Returns the deployments that may be related to an item, by time. */
function around(
  item: TimelineItem,
  deployments: readonly TimelineItem[],
): Neighbour[] {
  const distanceTo = ({ at }: TimelineItem) =>
    Date.parse(item.at) - Date.parse(at);
  if (item.kind === 'flag') {
    return deployments
      .filter(each => Math.abs(distanceTo(each)) <= DAY_MS)
      .sort((a, b) => Math.abs(distanceTo(a)) - Math.abs(distanceTo(b)))
      .slice(0, 2)
      .flatMap(neighbourOf);
  }
  const isUnexplained =
    item.kind === 'incident' &&
    !item.neighbours.some(({ kind }) => kind === 'deployment');
  return isUnexplained
    ? deployments
        .filter(each => distanceTo(each) >= 0 && distanceTo(each) <= 7 * DAY_MS)
        .slice(0, 1)
        .flatMap(neighbourOf)
    : [];
}

function neighbourOf({ kind, title, page }: TimelineItem): Neighbour[] {
  return page === undefined ? [] : [{ kind, title, page }];
}

/** Removes duplicate pages, and the page of the item itself. */
function distinct(
  item: TimelineItem,
  neighbours: readonly Neighbour[],
): Neighbour[] {
  const byPage = new Map(
    neighbours
      .filter(({ page, kind }) => page !== item.page || kind !== item.kind)
      .map(neighbour => [`${neighbour.kind} ${neighbour.page}`, neighbour]),
  );
  return [...byPage.values()].slice(0, MAX_NEIGHBOURS);
}
