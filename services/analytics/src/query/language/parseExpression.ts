import type { InvalidRequestError } from '@slipway/service-kit';
import { buildCall } from './buildCall.ts';
import { parseCast } from './parseCall.ts';
import { parseTest } from './parseTest.ts';
import { parseOperand } from './parseOperand.ts';
import { asBoolean, asNumber, type Scope } from './coerce.ts';
import { call, type Expression, kindOf, not, valueOf } from './Expression.ts';
import { whatIsTooLarge } from './extent.ts';
import type { NumberFunction } from './functionNames.ts';
import { TokenReader } from './TokenReader.ts';
import { type Interval, moveBy } from './intervals.ts';

/** A value, or an interval, which can only be added to a time. */
type Operand = Expression | Interval;

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
    const first = this.#chain('or', () =>
      this.#chain('and', () => this.#inverted()),
    );
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
    let left = this.joined();
    for (let length = 0; length < LONGEST_CHAIN; length += 1) {
      const tested = parseTest(left, this);
      if (!tested) {
        return left;
      }
      left = tested;
    }
    throw this.#tooLong();
  }

  #tooLong(): InvalidRequestError {
    return this.reader.fault(
      `has more than ${LONGEST_CHAIN} operators in a row`,
    );
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
    return this.#noInterval(
      this.#leftToRight(['+', '-'], {
        part: () => this.#product(),
        join: (left, sign, part) => this.#added(left, sign, part()),
      }),
    );
  }

  #added(left: Operand, sign: string, right: Operand): Expression {
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

  #product(): Operand {
    const names = { '*': 'multiply', '/': 'divide', '%': 'modulo' } as const;
    return this.#leftToRight(['*', '/', '%'], {
      part: () => this.#signed(),
      join: (left, sign, part) =>
        this.#arithmetic(
          names[sign as keyof typeof names],
          this.#noInterval(left),
          this.#noInterval(part()),
        ),
    });
  }

  /** Parses operands and the operators between them, which are evaluated from left to right. */
  #leftToRight(
    signs: readonly string[],
    {
      part,
      join,
    }: {
      part: () => Operand;
      join: (left: Operand, sign: string, part: () => Operand) => Operand;
    },
  ): Operand {
    let left = part();
    for (let length = 0; ; length += 1) {
      const sign = this.reader.takeSign(...signs);
      if (!sign) {
        return left;
      }
      if (length === LONGEST_CHAIN) {
        throw this.#tooLong();
      }
      left = join(left, sign, part);
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

  #noInterval(expression: Operand): Expression {
    if (expression.kind === 'interval') {
      throw this.reader.fault('can only add an interval to a time');
    }
    return expression;
  }

  #signed(): Operand {
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

  #postfixed(): Operand {
    const { reader } = this;
    let expression = parseOperand(this);
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
}

/** The place of a text in the request, and the meaning of its names. */
export interface Place {
  /** The field of the request that contains the text, for error messages. */
  readonly field: string;
  readonly scope: Scope;
}

/**
 * Parses a whole text.
 * @param read - parses the expected content, such as one condition.
 * @throws InvalidRequestError naming the field, if anything follows this content.
 */
export function parseWhole<T>(
  source: string,
  { field, scope }: Place,
  read: (parser: ExpressionParser) => T,
): T {
  const reader = new TokenReader(source, field);
  const parsed = read(new ExpressionParser(reader, scope));
  reader.expectEnd();
  return parsed;
}
