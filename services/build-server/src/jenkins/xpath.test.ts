import { renderXml, toElement } from './toXml.ts';
import { selectXml } from './xpath.ts';

const root = toElement({
  _class: 'hudson.model.Hudson',
  jobs: [
    { name: 'a', builds: [{ number: 2 }, { number: 1 }] },
    { name: 'b"c', builds: [{ number: 7 }] },
  ],
});

const select = (expression: string) => {
  const found = selectXml(root, expression);
  return typeof found === 'string' ? found : found.map(renderXml).join('');
};

it.each([
  ['/hudson/job/name', '<name>a</name><name>b&quot;c</name>'],
  ['/*/job[1]/name', '<name>a</name>'],
  ['/hudson/job[last()]/build/number', '<number>7</number>'],
  ["/hudson/job[name='a']/build[1]/number/text()", '2'],
  ['//number', '<number>2</number><number>1</number><number>7</number>'],
  ['//build[1]/number', '<number>2</number><number>7</number>'],
  ['//none', ''],
  ['//none/text()', ''],
  ['concat(//name, ":", //number , \', \')', 'a:2, '],
])('selects %s', (expression, expected) => {
  expect(select(expression)).toBe(expected);
});

it.each([
  'name',
  '',
  '/hudson[',
  '/hudson/job[position()<2]',
  'concat(a b)',
  'concat(//a',
  'count(//job)',
  `${'/a'.repeat(200)}`,
  '/job[a="b]',
])('refuses %s', expression => {
  expect(() => selectXml(root, expression)).toThrow('is not supported');
});
