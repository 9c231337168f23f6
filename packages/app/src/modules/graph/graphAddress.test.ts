import { changeGraphAddress, readGraphAddress } from './graphAddress';

const STOCK =
  'rootEntityRefs%5B%5D=component%3Adefault%2Fshop&maxDepth=2&selectedKinds%5B%5D=API&unidirectional=false&mergeRelations=true&direction=TB&showFilters=true&curve=curveStepBefore';

it('reads the address that the stock page writes', () => {
  expect(readGraphAddress(new URLSearchParams(STOCK))).toEqual({
    rootEntityRefs: ['component:default/shop'],
    maxDepth: '2',
    selectedKinds: ['api'],
    selectedRelations: [],
    unidirectional: 'false',
    mergeRelations: 'true',
    direction: 'TB',
    curve: 'curveStepBefore',
  });
});

it('falls back to the configuration of the page, and then to that of Backstage', () => {
  const read = (query: string) =>
    readGraphAddress(new URLSearchParams(query), { maxDepth: '3' });
  expect(read('').maxDepth).toBe('3');
  expect(read('').direction).toBe('LR');
  expect(read('maxDepth=1').maxDepth).toBe('1');
});

it('ignores values that the graph cannot show', () => {
  const query =
    'rootEntityRefs[]=shop&rootEntityRefs[]=api:orders&maxDepth=deep&direction=UP&curve=area';
  expect(readGraphAddress(new URLSearchParams(query))).toMatchObject({
    rootEntityRefs: ['api:orders'],
    maxDepth: '∞',
    direction: 'LR',
    curve: 'curveMonotoneX',
  });
});

it('changes one value, and keeps the others and unknown ones', () => {
  const changed = changeGraphAddress(
    new URLSearchParams('a=1&selectedKinds[0]=api&maxDepth=2'),
    { selectedKinds: ['group', 'user'] },
  );
  expect(decodeURIComponent(changed.toString())).toBe(
    'a=1&maxDepth=2&selectedKinds[]=group&selectedKinds[]=user',
  );
  expect(changeGraphAddress(changed, { selectedKinds: [] }).toString()).toBe(
    'a=1&maxDepth=2',
  );
});
