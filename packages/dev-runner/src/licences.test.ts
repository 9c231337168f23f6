import { findUnaccepted } from './licences.ts';

const policy = {
  accepted: ['MIT', 'Apache-2.0'],
  reviewed: { known: 'public domain, said in its readme' },
};

function unaccepted(name: string, licence: string | null) {
  return findUnaccepted([{ name, version: '1.0.0', licence }], policy);
}

describe('findUnaccepted', () => {
  it.each(['MIT', '(MIT OR GPL-3.0-only)', 'MIT AND Apache-2.0'])(
    'accepts %s',
    licence => {
      expect(unaccepted('package', licence)).toEqual([]);
    },
  );

  it.each(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'SEE LICENSE IN x', null])(
    'does not accept %s',
    licence => {
      expect(unaccepted('package', licence)).toEqual([
        { name: 'package', version: '1.0.0', licence },
      ]);
    },
  );

  it('accepts reviewed packages', () => {
    expect(unaccepted('known', null)).toEqual([]);
  });
});
