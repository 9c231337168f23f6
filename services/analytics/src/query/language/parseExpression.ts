import { buildCall } from './buildCall.ts';
import { parseCast } from './parseCall.ts';
import { parseTest } from './parseTest.ts';
import { parsePlaceholder, parseWord } from './parseOperand.ts';
import { asBoolean, asNumber } from './coerce.ts';
import { call, type Expression, kindOf, not, valueOf } from './Expression.ts';
import { whatIsTooLarge } from './extent.ts';
import type { NumberFunction } from './functionNames.ts';
import type { Scope } from './Scope.ts';
import type { TokenReader } from './TokenReader.ts';
import { type Interval, moveBy } from './intervals.ts';

const DEEPEST = 40;
/** Maximum length of operator chains and lists. */
const LONGEST_CHAIN = 100;
const MOST_VALUES = 1_000;

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
    const expression = this.#choice();
    this.#depth -= 1;
    const fault = whatIsTooLarge([expression]);
    if (fault) {
      throw reader.faultBefore(fault);
    }
    return expression;
  }

  /** Parses `when ? yes : no`, or an expression without such a choice. */
  #choice(): Expression {
    const { reader } = this;
    const first = this.#any();
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
    let left = this.joined();
    for (let length = 0; length < LONGEST_CHAIN; length += 1) {
      const tested = parseTest(left, this);
      if (!tested) {
        return left;
      }
      left = tested;
    }
    throw reader.fault(`has more than ${LONGEST_CHAIN} operators in a row`);
  }

  /** Parses expressions separated by commas, including the closing symbol. */
  listed(end: string): Expression[] {
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

  /** Parses an operand of a comparison. */
  joined(): Expression {
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

  /** Parses a number with its sign, such as that of an interval. */
  number(): Expression {
    return asNumber(this.#noInterval(this.#signed()), this.reader);
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
      return parsePlaceholder(this);
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
        return parseWord(token, this);
      default:
        throw reader.faultBefore('needs a name or a value');
    }
  }

  /** Parses the arguments of a call, including the closing bracket. */
  arguments(): Expression[] {
    return this.listed(')');
  }
}
