import {
  allOf,
  anyOf,
  call,
  type Call,
  type Expression,
  keyOf,
  not,
  partsOf,
  type Select,
} from '../../query/language/Expression.ts';
import type { FunctionName } from '../../query/language/functionNames.ts';
import { expressionsOf, selectsOf } from '../../query/language/selects.ts';

const PERSON: Expression = { kind: 'column', name: 'person' };

/** Comparisons that are false if the compared value is absent. */
const FALSE_IF_ABSENT: ReadonlySet<FunctionName> = new Set([
  'equals',
  'less',
  'lessOrEquals',
  'greater',
  'greaterOrEquals',
  'in',
  'like',
  'ilike',
  'matches',
  'isNotNull',
]);
/** Comparisons that are true if the compared value is absent. */
const TRUE_IF_ABSENT: ReadonlySet<FunctionName> = new Set([
  'notEquals',
  'notIn',
  'isNull',
]);
/** Functions that return no value if their first argument is absent. */
const KEEPS_ABSENCE: ReadonlySet<FunctionName> = new Set([
  'timeOfText',
  'dateOf',
  'lower',
  'upper',
  'toNumber',
]);

/**
 * Rewrites conditions on properties of persons as `person IN (SELECT person FROM persons WHERE …)`, so
 * that engines read the profiles once and do not join them with every event. A SELECT that also reads
 * such properties elsewhere, as in a breakdown, needs the join and keeps its conditions.
 */
export function listPeople(select: Select): Select {
  if (!selectsOf(select).some(readsProfiles)) {
    return select;
  }
  const { from } = select;
  switch (from.kind) {
    case 'persons':
      return select;
    case 'events': {
      const listed = changeRows(select, each => listIn(each, from.projectId));
      return readsProfiles(listed) ? changeRows(select, listInside) : listed;
    }
    case 'each':
      return changeRows(
        { ...select, from: { ...from, of: listPeople(from.of) } },
        listInside,
      );
    default:
      return changeRows({ ...select, from: listPeople(from) }, listInside);
  }
}

function readsProfiles(select: Select): boolean {
  return expressionsOf(select).some(isOfProfile);
}

function isOfProfile(expression: Expression): boolean {
  return expression.kind === 'property'
    ? expression.owner === 'person'
    : partsOf(expression).some(isOfProfile);
}

/** Changes every expression that is evaluated per row, including those within expressions of groups. */
export function changeRows(
  select: Select,
  change: (expression: Expression) => Expression,
): Select {
  const { columns, where, groupBy, having, orderBy } = select;
  const keys = new Set(groupBy?.map(keyOf));
  const changeGroup = (expression: Expression): Expression => {
    if (!groupBy || keys.has(keyOf(expression))) {
      return change(expression);
    }
    switch (expression.kind) {
      case 'aggregate': {
        const { args, when } = expression;
        return {
          ...expression,
          args: args.map(change),
          ...(when && { when: change(when) }),
        };
      }
      case 'call':
        return { ...expression, args: expression.args.map(changeGroup) };
      default:
        return expression;
    }
  };
  return {
    ...select,
    columns: columns.map(changeGroup),
    where: where.length > 0 ? [change(allOf(where))] : where,
    ...(groupBy && { groupBy: groupBy.map(change) }),
    ...(having && { having: having.map(changeGroup) }),
    ...(orderBy && {
      orderBy: orderBy.map(each => ({
        ...each,
        expression: changeGroup(each.expression),
      })),
    }),
  };
}

/** Rewrites the queries after IN in an expression, but not the expression itself. */
function listInside(expression: Expression): Expression {
  switch (expression.kind) {
    case 'query':
      return { ...expression, select: listPeople(expression.select) };
    case 'call':
      return { ...expression, args: expression.args.map(listInside) };
    default:
      return expression;
  }
}

/** Rewrites the conditions on profiles in an expression, combining as many as possible in one list. */
function listIn(expression: Expression, projectId: string): Expression {
  if (expression.kind !== 'call') {
    return listInside(expression);
  }
  const { function: name } = expression;
  const isMet = resultIfAbsent(expression);
  if (isMet !== undefined) {
    const select: Select = {
      kind: 'select',
      from: { kind: 'persons', projectId },
      columns: [PERSON],
      // People without a profile are in no list, so if they meet the condition, the list must be negated.
      where: [isMet ? not(expression) : expression],
    };
    return call(
      isMet ? 'notIn' : 'in',
      [PERSON, { kind: 'query', select, of: 'text' }],
      'boolean',
    );
  }
  if (name !== 'and' && name !== 'or') {
    return {
      ...expression,
      args: expression.args.map(each => listIn(each, projectId)),
    };
  }
  const parts = partsOfAll(expression, name);
  const listed = new Set(
    parts.filter(each => resultIfAbsent(each) !== undefined),
  );
  const others = parts.filter(each => !listed.has(each));
  const join = name === 'and' ? allOf : anyOf;
  return join(
    [...(listed.size > 0 ? [join([...listed])] : []), ...others].map(each =>
      listIn(each, projectId),
    ),
  );
}

/** Returns the operands of nested ANDs, or of nested ORs, in one array. */
function partsOfAll(expression: Expression, name: 'and' | 'or'): Expression[] {
  return expression.kind === 'call' && expression.function === name
    ? expression.args.flatMap(each => partsOfAll(each, name))
    : [expression];
}

/**
 * Returns true if people without a profile meet a condition, and false if they do not. Returns undefined
 * if the condition is not only on properties of persons, or if only an engine can evaluate it.
 */
function resultIfAbsent(condition: Expression): boolean | undefined {
  if (condition.kind !== 'call') {
    return undefined;
  }
  const { function: name, args } = condition;
  if (name === 'and' || name === 'or' || name === 'not') {
    const all = args.map(resultIfAbsent);
    if (all.length === 0 || all.includes(undefined)) {
      return undefined;
    }
    if (name === 'not') {
      return !all[0];
    }
    return name === 'and' ? all.every(Boolean) : all.some(Boolean);
  }
  const isKnown = TRUE_IF_ABSENT.has(name) || FALSE_IF_ABSENT.has(name);
  return isKnown && isAbsent(args[0]) && args.slice(1).every(isFixed)
    ? TRUE_IF_ABSENT.has(name)
    : undefined;
}

/** Checks whether a value is absent for everyone without a profile. */
function isAbsent(expression: Expression): boolean {
  return isCallOfValue(expression)
    ? isAbsent(expression.args[0]) && expression.args.slice(1).every(isFixed)
    : expression.kind === 'property' && expression.owner === 'person';
}

/** Checks whether an expression has the same value in every row. */
function isFixed(expression: Expression): boolean {
  return isCallOfValue(expression)
    ? expression.args.every(isFixed)
    : expression.kind === 'value';
}

function isCallOfValue(expression: Expression): expression is Call {
  return expression.kind === 'call' && KEEPS_ABSENCE.has(expression.function);
}
