import { TokenReader } from '../language/TokenReader.ts';

/** Computes one number from the numbers of all series. */
export type Formula = (numbers: readonly number[]) => number;

/**
 * Parses a formula over series, which are named A, B, C, … in order: + - * / ( ) and
 * numbers. Division by 0 yields 0.
 * @param options.series - the number of series.
 * @throws InvalidRequestError if the formula is invalid.
 */
export function readFormula(
  source: string,
  { field, series }: { field: string; series: number },
): Formula {
  const reader = new TokenReader(source, field);
  const formula = readSum({ reader, series, depth: 0 });
  reader.expectEnd();
  return formula;
}

interface Reading {
  readonly reader: TokenReader;
  readonly series: number;
  readonly depth: number;
}

function readSum(reading: Reading): Formula {
  let left = readProduct(reading);
  for (;;) {
    const sign = reading.reader.takeSign('+', '-');
    if (!sign) {
      return left;
    }
    left = combine(left, sign, readProduct(reading));
  }
}

function readProduct(reading: Reading): Formula {
  let left = readPart(reading);
  for (;;) {
    const sign = reading.reader.takeSign('*', '/');
    if (!sign) {
      return left;
    }
    left = combine(left, sign, readPart(reading));
  }
}

function readPart(reading: Reading): Formula {
  const { reader, series, depth } = reading;
  const inner = { ...reading, depth: depth + 1 };
  if (depth > 20) {
    throw reader.fault('is nested too deeply');
  }
  if (reader.takeSign('-')) {
    const of = readPart(inner);
    return numbers => -of(numbers);
  }
  if (reader.takeSign('(')) {
    const of = readSum(inner);
    reader.expectSign(')');
    return of;
  }
  const token = reader.next();
  if (token?.kind === 'number') {
    return () => token.value;
  }
  const place =
    token?.kind === 'word' && /^[A-Za-z]$/.test(token.text)
      ? token.text.toUpperCase().charCodeAt(0) - 65
      : -1;
  if (place < 0 || place >= series) {
    const last = String.fromCharCode(64 + series);
    throw reader.faultBefore(
      `needs a number or a series: A${series > 1 ? ` to ${last}` : ''}`,
    );
  }
  return numbers => numbers[place];
}

function combine(left: Formula, sign: string, right: Formula): Formula {
  switch (sign) {
    case '+':
      return numbers => left(numbers) + right(numbers);
    case '-':
      return numbers => left(numbers) - right(numbers);
    case '*':
      return numbers => left(numbers) * right(numbers);
    default:
      return numbers => {
        const by = right(numbers);
        return by === 0 ? 0 : left(numbers) / by;
      };
  }
}
