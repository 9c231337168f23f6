import { markMatches } from './markMatches';

const partsOf =
  (...texts: string[]) =>
  (sought: string) =>
    markMatches(
      texts.map(text => ({ text, classes: [] })),
      sought,
    ).map(({ text, isMatch = false }) => (isMatch ? `<${text}>` : text));

it('marks every occurrence, whatever its case', () => {
  const parts = partsOf('Fail: fail');
  expect(parts('fail')).toEqual(['<Fail>', ': ', '<fail>']);
});

it('marks an occurrence that has several colours', () => {
  const parts = partsOf('not ', 'ok', ' 2');
  expect(parts('t ok 2')).toEqual(['no', '<t >', '<ok>', '< 2>']);
});

it.each(['', 'none', '.*'])('leaves a line without %j as it is', sought => {
  expect(partsOf('ok ', '2')(sought)).toEqual(['ok ', '2']);
});
