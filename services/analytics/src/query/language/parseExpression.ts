import { buildCall } from './buildCall.ts';
import { parseCallee, parseCast } from './parseCall.ts';
import { compare, isOneOf } from './buildComparison.ts';
import { asBoolean, asNumber, asText } from './coerce.ts';
import {
  call,
  type Expression,
  GROUP_OWNERS,
  kindOf,
  not,
  type NumberFunction,
  type PropertyOwner,
  valueOf,
} from './Expression.ts';
import { namesOf, resolve, type Scope } from './Scope.ts';
import type { TokenReader } from './TokenReader.ts';
import { type Interval, intervalUnit, moveBy } from './intervals.ts';

const DEEPEST = 40;
/** Maximum length of operator chains and lists. */
const LONGEST_CHAIN = 100;
const MOST_VALUES = 1_000;
const LONGEST_NAME = 400;

const COMPARISONS = ['=', '==', '!=', '<>', '<', '<=', '>', '>='];

/** Parses expressions with the names of a scope. */
export class ExpressionParser {
  readonly reader: TokenReader;
  readonly scope: Scope;
  #depth = 0;

  constructor(reader: TokenReader, scope: Scope) {
    this.reader = reader;
    this.scope = scope;
  }

  /** Parses one expression, up to the first token that cannot be part of it. */
  expression(): Expression {
    const { reader } = this;
    if (this.#depth > DEEPEST) {
      throw reader.fault(`is nested deeper than ${DEEPEST}`);
    }
    this.#depth += 1;
    const first = this.#any();
    this.#depth -= 1;
    if (!reader.takeSign('?')) {
      return first;
    }
    const yes = this.expression();
    reader.expectSign(':');
    return buildCall('if', [first, yes, this.expression()], this);
  }

  /** Parses a condition. */
  condition(): Expression {
    return asBoolean(this.expression(), this.reader);
  }

  #any(): Expression {
    return this.#chain('or', () => this.#all());
  }

  #all(): Expression {
    return this.#chain('and', () => this.#inverted());
  }

  #chain(word: 'and' | 'or', part: () => Expression): Expression {
    const first = part();
    if (!this.reader.isWord(word)) {
      return first;
    }
    const all = [asBoolean(first, this.reader)];
    while (this.reader.takeWord(word)) {
      all.push(asBoolean(part(), this.reader));
    }
    return call(word, all, 'boolean');
  }

  #inverted(): Expression {
    let times = 0;
    while (this.reader.takeWord('not')) {
      times += 1;
    }
    const tested = this.#test();
    if (times === 0) {
      return tested;
    }
    const condition = asBoolean(tested, this.reader);
    return times % 2 === 0 ? condition : not(condition);
  }

  #test(): Expression {
    const { reader } = this;
    let left = this.#joined();
    for (let length = 0; length < LONGEST_CHAIN; length += 1) {
      const tested = this.#testOf(left);
      if (!tested) {
        return left;
      }
      left = tested;
    }
    throw reader.fault(`has more than ${LONGEST_CHAIN} operators in a row`);
  }

  #testOf(left: Expression): Expression | undefined {
    const { reader } = this;
    const sign = reader.takeSign(...COMPARISONS);
    if (sign) {
      return compare(sign, [left, this.#joined()], this);
    }
    const matching = reader.takeSign('=~', '!~');
    if (matching) {
      const matches = buildCall('match', [left, this.#joined()], this);
      return matching === '=~' ? matches : not(matches);
    }
    if (reader.takeWord('is')) {
      const negated = reader.takeWord('not');
      reader.expectKeyword('null');
      return call(negated ? 'isNotNull' : 'isNull', [left], 'boolean');
    }
    const negated = reader.isWord('not');
    const ahead = negated ? 1 : 0;
    const turned = (test: Expression) => (negated ? not(test) : test);
    if (reader.takeWord('in', ahead)) {
      return isOneOf(left, this.#list(), { negated, parser: this });
    }
    if (reader.takeWord('between', ahead)) {
      const low = this.#joined();
      reader.expectKeyword('and');
      return turned(
        call(
          'and',
          [
            compare('>=', [left, low], this),
            compare('<=', [left, this.#joined()], this),
          ],
          'boolean',
        ),
      );
    }
    for (const word of ['like', 'ilike'] as const) {
      if (reader.takeWord(word, ahead)) {
        return turned(buildCall(word, [left, this.#joined()], this));
      }
    }
    return undefined;
  }

  /** Parses a list in brackets. */
  #list(): Expression[] {
    const { reader } = this;
    const end = reader.takeSign('[') ? ']' : ')';
    if (end === ')') {
      reader.expectSign('(');
    }
    if (reader.isWord('select')) {
      throw reader.fault(
        'has a query in a list, which is not supported: name the values',
      );
    }
    const values = this.#listed(end);
    if (values.length === 0) {
      throw reader.faultBefore('has an empty list');
    }
    return values;
  }

  /** Parses expressions separated by commas, including the closing symbol. */
  #listed(end: string): Expression[] {
    const { reader } = this;
    const values: Expression[] = [];
    if (reader.takeSign(end)) {
      return values;
    }
    do {
      if (values.length === MOST_VALUES) {
        throw reader.fault(`has a list of more than ${MOST_VALUES} values`);
      }
      values.push(this.expression());
    } while (reader.takeSign(','));
    reader.expectSign(end);
    return values;
  }

  #joined(): Expression {
    const parts = [this.#sum()];
    while (this.reader.takeSign('||')) {
      parts.push(this.#sum());
    }
    return parts.length === 1 ? parts[0] : buildCall('concat', parts, this);
  }

  #sum(): Expression {
    let left: Expression | Interval = this.#product();
    for (let length = 0; ; length += 1) {
      const sign = this.reader.takeSign('+', '-');
      if (!sign) {
        return this.#noInterval(left);
      }
      if (length === LONGEST_CHAIN) {
        throw this.reader.fault(
          `has more than ${LONGEST_CHAIN} operators in a row`,
        );
      }
      left = this.#added(left, sign, this.#product());
    }
  }

  #added(
    left: Expression | Interval,
    sign: string,
    right: Expression | Interval,
  ): Expression {
    const isMinus = sign === '-';
    if (right.kind === 'interval') {
      return moveBy(this.#noInterval(left), right, {
        isMinus,
        parser: this,
      });
    }
    if (left.kind === 'interval') {
      return moveBy(right, left, { isMinus: false, parser: this });
    }
    if (['time', 'date'].includes(kindOf(left))) {
      return buildCall(isMinus ? 'minustime' : 'plustime', [left, right], this);
    }
    return this.#arithmetic(isMinus ? 'minus' : 'plus', left, right);
  }

  #product(): Expression | Interval {
    const names = { '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;
    let left = this.#signed();
    for (let length = 0; ; length += 1) {
      const sign = this.reader.takeSign('*', '/', '%');
      if (!sign) {
        return left;
      }
      if (length === LONGEST_CHAIN) {
        throw this.reader.fault(
          `has more than ${LONGEST_CHAIN} operators in a row`,
        );
      }
      left = this.#arithmetic(
        names[sign as keyof typeof names],
        this.#noInterval(left),
        this.#noInterval(this.#signed()),
      );
    }
  }

  #arithmetic(
    name: NumberFunction,
    left: Expression,
    right: Expression,
  ): Expression {
    return call(
      name,
      [asNumber(left, this.reader), asNumber(right, this.reader)],
      'number',
    );
  }

  #noInterval(expression: Expression | Interval): Expression {
    if (expression.kind === 'interval') {
      throw this.reader.fault('can only add an interval to a time');
    }
    return expression;
  }

  #signed(): Expression | Interval {
    const { reader } = this;
    if (!reader.takeSign('-')) {
      return this.#postfixed();
    }
    const token = reader.peek();
    const of = this.#noInterval(this.#postfixed());
    if (token?.kind === 'number' && of.kind === 'value') {
      return valueOf(-Number(of.value));
    }
    return call('negate', [asNumber(of, reader)], 'number');
  }

  #postfixed(): Expression | Interval {
    const { reader } = this;
    let expression = this.#primary();
    for (let length = 0; length < DEEPEST; length += 1) {
      if (reader.takeSign('::')) {
        expression = parseCast(this.#noInterval(expression), this);
      } else if (reader.takeSign('[')) {
        const index = this.expression();
        reader.expectSign(']');
        expression = buildCall(
          'arrayelement',
          [this.#noInterval(expression), index],
          this,
        );
      } else {
        break;
      }
    }
    return expression;
  }

  #primary(): Expression | Interval {
    const { reader } = this;
    if (reader.takeSign('(')) {
      const inner = this.expression();
      reader.expectSign(')');
      return inner;
    }
    if (reader.takeSign('{')) {
      return this.#placeholder();
    }
    const token = reader.next();
    switch (token?.kind) {
      case 'number':
        if (!Number.isFinite(token.value)) {
          throw reader.faultBefore('contains a number that is too large');
        }
        return valueOf(token.value);
      case 'text':
        return valueOf(token.text);
      case 'word':
        return this.#word(token.text, token.quoted);
      default:
        throw reader.faultBefore('needs a name or a value');
    }
  }

  /** Parses `{name}`, whose value is in the request. */
  #placeholder(): Expression {
    const { reader, scope } = this;
    const name = reader.expectWord();
    reader.expectSign('}');
    const found = scope.placeholders?.get(name);
    if (!found) {
      throw reader.faultBefore(
        `has {${name}}, which query.values does not contain`,
      );
    }
    return found;
  }

  #word(text: string, quoted: boolean): Expression | Interval {
    const { reader } = this;
    const word = quoted ? '' : text.toLowerCase();
    if (reader.isSign('(') && word !== '') {
      reader.next();
      return parseCallee(text, this);
    }
    switch (word) {
      case 'null':
        return valueOf(null);
      case 'true':
      case 'false':
        return valueOf(Number(word === 'true'), 'boolean');
      case 'interval':
        return this.#interval();
      case 'case':
        return this.#case();
      default:
        return this.#named(text);
    }
  }

  #interval(): Interval {
    const { reader } = this;
    const token = reader.peek();
    if (token?.kind === 'text') {
      reader.next();
      const [, count, unit] = /^\s*(-?\d+)\s+(\w+)\s*$/.exec(token.text) ?? [];
      if (unit !== undefined) {
        return {
          kind: 'interval',
          count: valueOf(Number(count)),
          unit: intervalUnit(unit, reader),
        };
      }
      return {
        kind: 'interval',
        count: asNumber(valueOf(token.text), reader),
        unit: intervalUnit(reader.expectWord(), reader),
      };
    }
    const count = asNumber(this.#noInterval(this.#signed()), reader);
    return {
      kind: 'interval',
      count,
      unit: intervalUnit(reader.expectWord(), reader),
    };
  }

  /** Parses `CASE WHEN … THEN … ELSE … END`, or `CASE x WHEN … THEN … END`. */
  #case(): Expression {
    const { reader } = this;
    const of = reader.isWord('when') ? undefined : this.expression();
    const args: Expression[] = [];
    while (reader.takeWord('when')) {
      const when = this.expression();
      args.push(of ? compare('=', [of, when], this) : when);
      reader.expectKeyword('then');
      args.push(this.expression());
    }
    args.push(reader.takeWord('else') ? this.expression() : valueOf(null));
    reader.expectKeyword('end');
    return buildCall('multiif', args, this);
  }

  #named(name: string): Expression {
    const { reader, scope } = this;
    if (scope.tables?.includes(name) && reader.takeSign('.')) {
      return this.#named(reader.expectWord());
    }
    const found = resolve(name, scope);
    if (
      found?.kind === 'column' &&
      found.name === 'properties' &&
      (reader.isSign('.') || reader.isSign('['))
    ) {
      return { kind: 'property', path: this.#path(), as: 'text' };
    }
    const owner = found ? undefined : ownerNamed(name, scope);
    if (owner && !scope.fields && reader.takeSign('.')) {
      return this.#ofOwner(owner);
    }
    if (!found) {
      throw reader.faultBefore(
        `names '${name}', which is not one of ${namesOf(
          scope,
        )}; texts are in single quotes`,
      );
    }
    return found;
  }

  /** Parses `person.id`, `group_0.key`, and properties of a person or a group. */
  #ofOwner(owner: PropertyOwner): Expression {
    const { reader } = this;
    const name = reader.expectWord();
    if (owner === 'person' && name === 'id') {
      return { kind: 'column', name: 'person' };
    }
    if (owner !== 'person' && owner !== 'event' && name === 'key') {
      return { kind: 'column', name: owner };
    }
    if (name !== 'properties' || !(reader.isSign('.') || reader.isSign('['))) {
      throw reader.faultBefore(
        `asks for ${owner}.${name}, which is not available: use ${owner}.properties.<name>`,
      );
    }
    return { kind: 'property', path: this.#path(), as: 'text', owner };
  }

  /** Parses one or several of `.name` and `['any name']`. */
  #path(): string[] {
    const { reader } = this;
    const path: string[] = [];
    for (;;) {
      if (reader.takeSign('.')) {
        path.push(reader.expectWord());
      } else if (reader.takeSign('[')) {
        const token = reader.next();
        if (token?.kind !== 'text') {
          throw reader.faultBefore("needs the property's name in quotes");
        }
        reader.expectSign(']');
        path.push(token.text);
      } else {
        return path;
      }
      this.checkName(path.at(-1)!);
      if (path.length > 10) {
        throw reader.fault('looks into more than 10 objects');
      }
    }
  }

  /** @throws InvalidRequestError if the name is not a valid property name. */
  checkName(name: string): void {
    if (name === '' || name.length > LONGEST_NAME) {
      throw this.reader.fault(
        `needs a property's name of 1 to ${LONGEST_NAME} characters`,
      );
    }
  }

  /** Parses the arguments of a call, including the closing bracket. */
  arguments(): Expression[] {
    return this.#listed(')');
  }

  /** Reads a constant text, such as a pattern. */
  constantText(expression: Expression, what: string): string {
    if (expression.kind !== 'value' || typeof expression.value !== 'string') {
      throw this.reader.faultBefore(`needs ${what} in quotes`);
    }
    return asText(expression, this.reader).value as string;
  }
}

/** Finds what a name before a dot stands for: a person, or a group by number or type. */
function ownerNamed(
  name: string,
  { groupTypes = [] }: Scope,
): PropertyOwner | undefined {
  const owner = (['person', ...GROUP_OWNERS] as const).find(
    each => each === name,
  );
  return owner ?? GROUP_OWNERS[groupTypes.indexOf(name)];
}
