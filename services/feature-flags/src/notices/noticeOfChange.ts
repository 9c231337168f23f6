import type { Flag } from '../model/Flag.ts';
import { stateOf } from '../model/Flag.ts';
import type { Notice, NoticeEvent } from '../model/Notice.ts';
import type { FlagChange } from '../storage/FlagStore.ts';
import { describeStates, describeTraits } from './describeStates.ts';
import { count, firstOf, nameOf } from './words.ts';

const SHOWN_FLAGS = 10;

/** Describes a change of one flag; undefined if it is not worth a notice. */
export function noticeOfChange(change: FlagChange): Notice | undefined {
  const { type, before, after, environment, by, includedIn } = change;
  const about = {
    flag: after.name,
    projects: [after.project],
    by,
    at: after.updatedAt,
    includedIn,
  };
  const whole = { ...about, environments: [], details: [] };
  const author = nameOf(by);
  switch (type) {
    case 'feature-created':
      return {
        ...whole,
        events: ['flag-created'],
        text: `${after.name} was created by ${author}`,
        details: after.description ? [after.description] : [],
      };
    case 'feature-archived':
      return {
        ...whole,
        events: ['flag-archived'],
        text: `${after.name} was archived by ${author}`,
      };
    case 'feature-revived':
      return {
        ...whole,
        events: ['flag-restored'],
        text: `${after.name} was restored by ${author}, turned off`,
      };
    default:
      return before && noticeOfUpdate(before, after, { ...about, environment });
  }
}

function noticeOfUpdate(
  before: Flag,
  after: Flag,
  options: Omit<Notice, 'events' | 'environments' | 'text' | 'details'> & {
    environment: string;
  },
): Notice | undefined {
  const { environment, ...about } = options;
  const [from, to] = [before, after].map(flag => stateOf(flag, environment));
  const states = describeStates(from, to);
  const traits = describeTraits(before, after);
  const isMoved = before.project !== after.project;
  const events: NoticeEvent[] = [
    ...(from.enabled === to.enabled ? [] : (['flag-switched'] as const)),
    ...(states.length > 0 ? (['strategies-changed'] as const) : []),
    ...(traits.length > 0 || isMoved ? (['settings-changed'] as const) : []),
  ];
  const [event] = events;
  if (!event) {
    return undefined;
  }
  const what =
    event === 'flag-switched'
      ? `turned ${to.enabled ? 'on' : 'off'}`
      : 'changed';
  const where = event === 'settings-changed' ? '' : ` in ${environment}`;
  return {
    ...about,
    events,
    projects: [...new Set([before.project, after.project])],
    environments: event === 'settings-changed' ? [] : [environment],
    text: `${after.name} was ${what}${where} by ${nameOf(about.by)}`,
    details: [
      ...states,
      ...traits,
      ...(isMoved ? [`Project: ${before.project} → ${after.project}`] : []),
    ],
  };
}

/** Describes the changes of one import in one notice. There must be at least one. */
export function noticeOfImport(changes: readonly FlagChange[]): Notice {
  const last = changes[changes.length - 1];
  const { created, updated } = importedBy(changes);
  const isCreation = (each: FlagChange) => each.type === 'feature-created';
  const number = created.length + updated.length;
  const was = number === 1 ? 'was' : 'were';
  return {
    events: ['flags-imported'],
    flag: number === 1 ? last.after.name : null,
    projects: [...new Set(changes.map(({ after }) => after.project))],
    // A new flag concerns every environment.
    environments: changes.some(isCreation)
      ? []
      : [...new Set(changes.map(({ environment }) => environment))],
    by: last.by,
    at: last.after.updatedAt,
    text: `${count(number, 'flag')} ${was} imported by ${nameOf(last.by)}`,
    details: [
      created.length > 0 &&
        `${created.length} created: ${firstOf(created, SHOWN_FLAGS)}`,
      updated.length > 0 &&
        `${updated.length} changed: ${firstOf(updated, SHOWN_FLAGS)}`,
    ].filter(line => typeof line === 'string'),
  };
}

/** Returns the names of the flags that an import created and changed; it may save one several times. */
export function importedBy(changes: readonly FlagChange[]): {
  created: string[];
  updated: string[];
} {
  const namesOf = (some: readonly FlagChange[]) => [
    ...new Set(some.map(({ after }) => after.name)),
  ];
  const created = namesOf(
    changes.filter(({ type }) => type === 'feature-created'),
  );
  const updated = namesOf(changes).filter(name => !created.includes(name));
  return { created, updated };
}
