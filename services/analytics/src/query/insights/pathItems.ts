import {
  anyOf,
  call,
  equals,
  type Expression,
  not,
  valueOf,
} from '../language/Expression.ts';
import { fault } from '../faults.ts';
import { whatIsMissing } from '../language/patterns.ts';
import { readPattern } from '../readFilters.ts';
import type { Query } from '../schemas.ts';
import { EVENT } from './buckets.ts';

type PathsFilter = NonNullable<Query['pathsFilter']>;

const property = (name: string): Expression => ({
  kind: 'property',
  path: [name],
  as: 'text',
});

/** Returns the label of a page, screen or other event in a path. */
export function itemOf({
  pathGroupings = [],
  localPathCleaningFilters = [],
}: PathsFilter): Expression {
  const whole = call(
    'replaceRegexpOne',
    [
      call(
        'coalesce',
        [property('$current_url'), property('$pathname'), EVENT],
        'text',
      ),
      valueOf('(.)/$'),
      valueOf('\\1'),
    ],
    'text',
  );
  const address = localPathCleaningFilters.reduce<Expression>(
    (text, { regex, alias }, index) => {
      const field = `query.pathsFilter.localPathCleaningFilters.${index}`;
      const pattern = readPattern(regex, `${field}.regex`);
      const wrong = whatIsMissing(alias, pattern);
      if (wrong) {
        throw fault(`${field}.alias`, wrong, 'pattern');
      }
      return call(
        'replaceRegexpAll',
        [text, valueOf(pattern), valueOf(alias)],
        'text',
      );
    },
    whole,
  );
  const named = call(
    'if',
    [
      isEvent('$pageview'),
      address,
      call(
        'if',
        [
          isEvent('$screen'),
          call('coalesce', [property('$screen_name'), EVENT], 'text'),
          EVENT,
        ],
        'text',
      ),
    ],
    'text',
  );
  // The first grouping that matches applies.
  return pathGroupings.reduceRight<Expression>(
    (otherwise, grouping) =>
      call(
        'if',
        [
          call('like', [named, valueOf(patternOf(grouping))], 'boolean'),
          valueOf(grouping),
          otherwise,
        ],
        'text',
      ),
    named,
  );
}

/** Converts a grouping to a pattern; `*` matches any text. */
function patternOf(grouping: string): string {
  return grouping.replace(/[\\%_]/g, '\\$&').replace(/\*/g, '%');
}

function isEvent(name: string): Expression {
  return equals(EVENT, name);
}

/** Returns the conditions that an event must meet to be part of paths. */
export function includedBy(
  { includeEventTypes = [], excludeEvents = [] }: PathsFilter,
  item: Expression,
): Expression[] {
  const kinds = includeEventTypes.map(type =>
    type === 'custom_event'
      ? not(call('startsWith', [EVENT, valueOf('$')], 'boolean'))
      : isEvent(type),
  );
  return [
    ...(kinds.length > 0 ? [anyOf(kinds)] : []),
    ...(excludeEvents.length > 0
      ? [
          call(
            'notIn',
            [item, ...excludeEvents.map(each => valueOf(each))],
            'boolean',
          ),
        ]
      : []),
  ];
}
