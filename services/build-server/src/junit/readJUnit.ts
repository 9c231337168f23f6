import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { TestCase, TestSummary } from '../builds/Build.ts';

const KEPT_FAILURES = 100;
const MESSAGE_LENGTH = 2_000;
/**
 * Maximum number of test cases of one build that are kept for the history; the others are only
 * counted.
 */
const KEPT_CASES = 5_000;
const SUITE_LENGTH = 1_000;
const NAME_LENGTH = 2_000;

interface Failure {
  '@message'?: string;
  '#text'?: string;
}

interface CaseElement {
  '@name'?: string;
  '@classname'?: string;
  /** Seconds. */
  '@time'?: string;
  failure?: (Failure | string)[];
  error?: (Failure | string)[];
  skipped?: unknown[];
  /** It failed, then passed when retried; written by Surefire. */
  flakyFailure?: unknown[];
  flakyError?: unknown[];
}

interface TestSuite {
  '@name'?: string;
  testsuite?: TestSuite[];
  testcase?: CaseElement[];
}

/** Thrown for invalid JUnit XML; the message is for people. */
export class JUnitError extends Error {
  override readonly name = 'JUnitError';
}

const LISTS = new Set([
  'testsuites',
  'testsuite',
  'testcase',
  'failure',
  'error',
  'skipped',
  'flakyFailure',
  'flakyError',
]);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // Entities defined in the document could expand without limit; the five of XML are
  // decoded by hand.
  processEntities: false,
  isArray: name => LISTS.has(name),
});

/** Counts test cases; the totals reported by suites are not trusted. */
export function readJUnit(
  reports: Iterable<{ path: string; text: string }>,
): TestSummary {
  const summary: TestSummary = {
    total: 0,
    failed: 0,
    skipped: 0,
    failures: [],
    cases: [],
  };
  for (const { path, text } of reports) {
    for (const suite of suitesOf(path, text)) {
      add(summary, suite, []);
    }
  }
  return summary;
}

/** @throws JUnitError */
function suitesOf(path: string, text: string): TestSuite[] {
  const verdict = XMLValidator.validate(text);
  if (verdict !== true) {
    throw new JUnitError(
      `${path} is not well-formed XML: line ${verdict.err.line}`,
    );
  }
  const document: { testsuites?: TestSuite[]; testsuite?: TestSuite[] } =
    parser.parse(text);
  const suites = document.testsuites ?? document.testsuite;
  if (!suites) {
    throw new JUnitError(`${path} has neither testsuites nor testsuite`);
  }
  return suites;
}

function add(
  summary: TestSummary,
  suite: TestSuite | string,
  names: readonly string[],
): void {
  // An element without content is parsed as an empty string.
  if (typeof suite === 'string') {
    return;
  }
  const name = suite['@name'];
  const path =
    name === undefined ? names : [...names, nameOf(name, SUITE_LENGTH)];
  for (const inner of suite.testsuite ?? []) {
    add(summary, inner, path);
  }
  for (const test of suite.testcase ?? []) {
    addTest(summary, typeof test === 'string' ? {} : test, path);
  }
}

function addTest(
  summary: TestSummary,
  test: CaseElement,
  path: readonly string[],
): void {
  summary.total += 1;
  const [failure] = [...(test.failure ?? []), ...(test.error ?? [])];
  const outcome = failure === undefined ? outcomeOf(test) : 'failed';
  const className = test['@classname'];
  const suite =
    className === undefined
      ? path.join(' › ').slice(0, SUITE_LENGTH)
      : nameOf(className, SUITE_LENGTH);
  const name = nameOf(test['@name'] ?? '', NAME_LENGTH);
  if (summary.cases!.length < KEPT_CASES) {
    summary.cases!.push({
      suite,
      name,
      outcome,
      durationMs: millisecondsOf(test['@time']),
    });
  }
  if (failure === undefined) {
    summary.skipped += outcome === 'skipped' ? 1 : 0;
    return;
  }
  summary.failed += 1;
  if (summary.failures.length < KEPT_FAILURES) {
    summary.failures.push({
      suite,
      name,
      message: decode(messageOf(failure)).slice(0, MESSAGE_LENGTH),
    });
  }
}

/** Decodes the name of a suite or of a test, and shortens it. */
function nameOf(text: string, length: number): string {
  // PostgreSQL cannot store this character.
  return decode(text).replaceAll('\0', '').slice(0, length);
}

function outcomeOf(test: CaseElement): TestCase['outcome'] {
  if (test.skipped) {
    return 'skipped';
  }
  return test.flakyFailure || test.flakyError ? 'flaky' : 'passed';
}

/** Parses seconds to milliseconds. Some runners write thousands separators. */
function millisecondsOf(seconds = ''): number {
  const milliseconds = Number(seconds.replaceAll(',', '')) * 1_000;
  return milliseconds > 0 && milliseconds < 2 ** 31
    ? Math.round(milliseconds)
    : 0;
}

function messageOf(failure: Failure | string): string {
  return typeof failure === 'string'
    ? failure
    : [failure['@message'], failure['#text']]
        .filter(part => part !== undefined)
        .join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
};

function decode(text: string): string {
  return text.replace(
    /&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name) {
        return ENTITIES[name];
      }
      const code = decimal ? Number(decimal) : parseInt(hex!, 16);
      const isText = code > 0 && code <= 0x10ffff && (code & 0xf800) !== 0xd800;
      return isText ? String.fromCodePoint(code) : whole;
    },
  );
}
