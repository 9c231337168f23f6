import { addressTable } from './addressTable.ts';

describe('addressTable', () => {
  it('aligns the columns', () => {
    const table = addressTable([
      { label: 'Portal', url: 'http://localhost:3000', signIn: 'as ada' },
      { label: 'API', url: 'http://localhost:7007/api', signIn: 'a token' },
    ]);

    expect(table.split('\n')).toEqual([
      '  Portal  http://localhost:3000      as ada',
      '  API     http://localhost:7007/api  a token',
    ]);
  });
});
