import { readAudit } from './readAudit.ts';

it('lists the advisories that Yarn prints, one per line', () => {
  const stdout = `${JSON.stringify({
    value: 'left-pad',
    children: {
      ID: 1097,
      Issue: 'Pads on the right',
      URL: 'https://example.com/advisories/1097',
      Severity: 'high',
      'Vulnerable Versions': '<2',
    },
  })}\n`;

  expect(readAudit({ status: 1, stdout, stderr: '' })).toEqual({
    answered: true,
    advisories: [
      {
        name: 'left-pad',
        severity: 'high',
        issue: 'Pads on the right',
        url: 'https://example.com/advisories/1097',
      },
    ],
  });
});

it('finds no advisories if Yarn reports none', () => {
  const stdout =
    '{"type":"info","name":1,"displayName":"YN0001","data":"No audit suggestions"}\n';

  expect(readAudit({ status: 0, stdout, stderr: '' })).toEqual({
    answered: true,
    advisories: [],
  });
});

it.each([
  [
    'cN [HTTPError]: Response code 405 (Method Not Allowed)\n    at request',
    'Response code 405 (Method Not Allowed)',
  ],
  ['RequestError: getaddrinfo ENOTFOUND registry', 'ENOTFOUND'],
  ['', 'no reason given'],
])(
  'reports that the registry did not respond: %s',
  (stderr, expectedReason) => {
    expect(readAudit({ status: 1, stdout: '', stderr })).toEqual({
      answered: false,
      reason: expectedReason,
    });
  },
);
