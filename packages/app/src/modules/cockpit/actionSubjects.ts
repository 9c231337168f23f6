import { type ActionSubject, isSuspectedFlag } from '@slipway/app-react';
import type { TimelineItem } from '@slipway/entity-contract';
import { mayConcern } from './joinTimeline';

const MAX_FLAGS = 3;

/** Returns the subject for the actions of a timeline item; undefined for an item without a page. */
export function subjectOf(
  item: TimelineItem,
  { all, entityRef }: { all: readonly TimelineItem[]; entityRef?: string },
): ActionSubject | undefined {
  const { kind, title, page, commit, tone } = item;
  const before = versionBefore(item, all);
  return page === undefined
    ? undefined
    : {
        kind,
        title,
        page,
        entityRef: item.entityRef ?? entityRef,
        commit,
        failed: tone === 'bad',
        before,
      };
}

/**
 * Returns what may have caused a failed item, so that users can act on it there: the
 * flags of its component changed in the day before or as it began, and the deployment before an
 * incident.
 */
export function suspectsOf(
  item: TimelineItem,
  options: { all: readonly TimelineItem[]; entityRef?: string },
): ActionSubject[] {
  const { all } = options;
  const flags = all.filter(
    each => isSuspectedFlag(each, item.at) && mayConcern(item, each),
  );
  const blamed = item.neighbours
    .filter(({ kind }) => kind === 'deployment')
    .flatMap(({ page }) => all.find(each => each.page === page) ?? []);
  return [
    ...(item.kind === 'incident' ? blamed.slice(0, 1) : []),
    ...new Map(flags.map(flag => [flag.page, flag])).values(),
  ]
    .slice(0, MAX_FLAGS + 1)
    .flatMap(each => subjectOf(each, options) ?? [])
    .map(subject => ({ ...subject, failed: true }));
}

/** Returns the previous working version, if a build deployed it. */
function versionBefore(
  item: TimelineItem,
  all: readonly TimelineItem[],
): ActionSubject['before'] {
  const { series, at } = item;
  const earlier =
    series === undefined
      ? undefined
      : all.find(
          each =>
            each.series === series &&
            each.tone === 'good' &&
            Date.parse(each.at) < Date.parse(at),
        );
  const build = earlier?.neighbours.find(({ kind }) => kind === 'build');
  return earlier && build
    ? { title: earlier.title, build: build.page }
    : undefined;
}
