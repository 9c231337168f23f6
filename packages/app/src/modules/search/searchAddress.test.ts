import { formatSearchAddress, readSearchAddress } from './searchAddress';

it.each([
  '',
  '?query=pay+ments',
  '?query=a&types%5B%5D=techdocs&filters%5Bkind%5D=Component&filters%5Blifecycle%5D%5B%5D=production&filters%5Blifecycle%5D%5B%5D=experimental&pageCursor=Mg%3D%3D',
])('keeps %j as it is', query => {
  expect(formatSearchAddress(readSearchAddress(query))).toBe(query);
});

it('reads lists with and without places, and leaves other parameters out', () => {
  expect(
    readSearchAddress('?types[0]=a&types[1]=b&filters[kind]=API&other=1'),
  ).toEqual({ term: '', types: ['a', 'b'], filters: { kind: 'API' } });
});
