/** Functions of single values. Words, such as units, come from lists defined in this service. */
export type FunctionName =
  | 'and'
  | 'or'
  | 'not'
  | 'equals'
  | 'notEquals'
  | 'less'
  | 'lessOrEquals'
  | 'greater'
  | 'greaterOrEquals'
  | 'in'
  | 'notIn'
  | 'like'
  | 'ilike'
  | 'matches'
  | 'isNull'
  | 'isNotNull'
  | 'if'
  | 'coalesce'
  | 'nullIf'
  | NumberFunction
  | TextFunction
  | TimeFunction
  | 'element'
  | 'has'
  | 'size'
  /**
   * The index of a time's bucket, from 0; -1 before the first. The other arguments are the
   * buckets' starts.
   */
  | 'bucket'
  /** A number and the following numbers; the second argument is their count. */
  | 'span'
  /** An item of the result of a {@link Fold}, from 0: a number or text, depending on its use. */
  | 'item'
  /** The number of items. */
  | 'items';

export type NumberFunction =
  | 'plus'
  | 'minus'
  | 'multiply'
  | 'divide'
  | 'modulo'
  | 'negate'
  | 'abs'
  | 'round'
  | 'floor'
  | 'ceil'
  | 'sqrt'
  | 'power'
  | 'exp'
  | 'log'
  | 'greatest'
  | 'least'
  | 'toNumber';

type TextFunction =
  | 'toText'
  | 'lower'
  | 'upper'
  | 'length'
  | 'concat'
  | 'substring'
  | 'trim'
  | 'replaceAll'
  | 'replaceOne'
  | 'position'
  | 'startsWith'
  | 'endsWith'
  | 'reverse'
  | 'extract'
  | 'replaceRegexpAll'
  | 'replaceRegexpOne'
  | 'split'
  | 'join'
  | 'domain'
  | 'path'
  | 'withoutQuery';

type TimeFunction =
  /** Words: unit, zone, first day of the week. */
  | 'startOf'
  | 'dateOf'
  /** Words: part, zone. */
  | 'part'
  /** Words: unit, zone. */
  | 'move'
  | 'difference'
  /** Words: zone. */
  | 'timeOfDate'
  | 'timeOfText'
  | 'formatTime'
  /** Words: zone; changes how a time is shown and truncated, not the time itself. */
  | 'inZone';

/**
 * `countDistinct` is exact; averages and sums ignore values that are not numbers. `first`
 * and `last` return the text at the smallest or largest time, like `argMin` and `argMax`;
 * of several texts at that time, always the smallest or largest.
 */
export type AggregateName =
  | 'count'
  | 'countDistinct'
  | 'sum'
  | 'avg'
  | 'min'
  | 'max'
  | 'quantile'
  | 'argMin'
  | 'argMax'
  | 'first'
  | 'last'
  | 'groupArray'
  | 'groupUniqArray';

/** A computation over all events of one person, in order of time. */
export type Fold =
  | {
      readonly kind: 'funnel';
      readonly order: 'ordered' | 'strict' | 'unordered';
      readonly steps: number;
      readonly windowMs: number;
      /**
       * True if the bits of the steps are followed by exclusion bits, one per step except the last:
       * the event excludes a person whose last completed step is that one.
       */
      readonly excludes?: boolean;
    }
  | {
      readonly kind: 'retention';
      readonly intervals: number;
      readonly firstOnly: boolean;
      readonly cumulative: boolean;
      readonly occurrences: number;
    }
  | { readonly kind: 'lifecycle'; readonly buckets: number }
  | {
      readonly kind: 'paths';
      readonly gapMs: number;
      readonly steps: number;
      readonly start?: string;
      readonly end?: string;
    };
