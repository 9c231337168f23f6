import { parseDestination } from './useEnterIde';

function parse(query: string) {
  return parseDestination(new URLSearchParams(query));
}

describe('parseDestination', () => {
  it('reads path and port', () => {
    expect(parse('return=%2Fa%3Fb%3D1&port=3000')).toEqual({
      path: '/a?b=1',
      port: 3000,
    });
  });

  it.each([
    '',
    'return=https://evil.example.org/',
    'return=a&port=x',
    'port=0',
    'port=70000',
    'port=1.5',
  ])('ignores %j', query => {
    expect(parse(query)).toEqual({});
  });
});
