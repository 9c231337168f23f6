import { JUnitError, readJUnit } from './readJUnit.ts';

const read = (...texts: string[]) =>
  readJUnit(texts.map((text, index) => ({ path: `${index}.xml`, text })));

it('counts test cases and ignores the totals of suites', () => {
  expect(
    read(
      `<?xml version="1.0"?><testsuites tests="99"><testsuite name="outer">
        <testsuite name="inner"><testcase name="a"/></testsuite>
        <testcase name="b" classname="B"><error>no &amp; &#8364;</error></testcase>
        <testcase name="c"><skipped/></testcase>
      </testsuite></testsuites>`,
      '<testsuite name="one"><testcase name="d"><failure message="m">t</failure></testcase></testsuite>',
      '<testsuites/>',
    ),
  ).toEqual({
    total: 4,
    failed: 2,
    skipped: 1,
    failures: [
      { suite: 'B', name: 'b', message: 'no & €' },
      { suite: 'one', name: 'd', message: 'm\nt' },
    ],
    cases: [
      { suite: 'outer › inner', name: 'a', outcome: 'passed', durationMs: 0 },
      { suite: 'B', name: 'b', outcome: 'failed', durationMs: 0 },
      { suite: 'outer', name: 'c', outcome: 'skipped', durationMs: 0 },
      { suite: 'one', name: 'd', outcome: 'failed', durationMs: 0 },
    ],
  });
});

it('shortens names, of failures too, and drops what PostgreSQL cannot store', () => {
  const { failures, cases } = read(
    `<testsuite name="${'s'.repeat(1_500)}"><testcase name="\0${'n'.repeat(3_000)}"><failure/></testcase></testsuite>`,
    `<testsuite><testcase classname="\0${'c'.repeat(1_500)}" name="n"><failure/></testcase></testsuite>`,
  );
  const expected = [
    { suite: 's'.repeat(1_000), name: 'n'.repeat(2_000) },
    { suite: 'c'.repeat(1_000), name: 'n' },
  ];
  expect(failures).toMatchObject(expected);
  expect(cases).toMatchObject(expected);
});

it('expands no entities of the document', () => {
  const { failures } = read(
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><testsuite><testcase name="n"><failure message="&b;"/></testcase></testsuite>',
  );
  expect(failures[0].message).toBe('&b;');
});

it.each(['<testsuite>', '<html></html>', 'text', ''])(
  'refuses %j, which is none',
  text => {
    expect(() => read(text)).toThrow(JUnitError);
  },
);
