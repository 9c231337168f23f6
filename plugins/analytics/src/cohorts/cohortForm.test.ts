import { idsIn, textOfIds } from './cohortForm';

it.each([
  ['one per line', 'ada\r\n lin \n\nada', ['ada', 'lin']],
  ['the first column', 'ada,1\n"o""neil, jr",2', ['ada', 'o"neil, jr']],
  ['the column of ids', 'email,Distinct_ID\na@x.com,ada', ['ada']],
  [
    'exported users',
    'User,ID,Email,Events\nAda,"ada, device-1",a@x.com,3\nLin,lin,,1',
    ['ada', 'device-1', 'lin'],
  ],
  ['nothing', ' \n', []],
])('reads ids from %s', (_name, text, ids) => {
  expect(idsIn(text)).toEqual(ids);
});

it('writes the ids of a file as a text with the same ids', () => {
  const ids = ['ada', 'a,b', '"quoted"', "o'neil"];
  expect(idsIn(textOfIds(ids))).toEqual(ids);
});
