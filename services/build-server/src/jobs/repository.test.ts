import { splitCredentials } from './repository.ts';

it.each([
  ['https://ci:a%20b@forge.example.org/x.git', 'a b'],
  ['https://ci:50%off@forge.example.org/x.git', '50%off'],
])('splits the password from %s', (address, password) => {
  expect(splitCredentials(address)).toEqual({
    repository: 'https://forge.example.org/x.git',
    credentials: { username: 'ci', password },
  });
});
