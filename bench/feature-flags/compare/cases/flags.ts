import type { Case } from '../Case.ts';

const FLAGS = '/api/admin/projects/default/features';

const refusedNames: Case[] = [
  ['with a space', 'two words'],
  ['empty', ''],
  ['of dots', '..'],
  ['too long', 'x'.repeat(101)],
  ['with a slash', 'a/b'],
  ['with an umlaut', 'flügel'],
  ['a number', 7],
].map(([kind, name]) => ({
  what: `flags: name ${kind}`,
  send: `POST ${FLAGS}`,
  body: { name },
}));

/** Creates, reads, changes, archives and revives flags and everything that belongs to them. */
export const flagCases: Case[] = [
  { what: 'flags: create', send: `POST ${FLAGS}`, body: { name: 'plain' } },
  {
    what: 'flags: create with all settings',
    send: `POST ${FLAGS}`,
    body: {
      name: 'full',
      type: 'kill-switch',
      description: 'Everything set',
      impressionData: true,
    },
  },
  {
    what: 'flags: create again',
    send: `POST ${FLAGS}`,
    body: { name: 'plain' },
  },
  { what: 'flags: create without name', send: `POST ${FLAGS}`, body: {} },
  {
    what: 'flags: create in an unknown project',
    send: 'POST /api/admin/projects/none/features',
    body: { name: 'lost' },
  },
  {
    what: 'flags: create with an unknown field',
    send: `POST ${FLAGS}`,
    body: { name: 'extra', unknown: 1 },
  },
  {
    what: 'flags: create with a description of null',
    send: `POST ${FLAGS}`,
    body: { name: 'undescribed', description: null },
  },
  {
    what: 'flags: create with impressionData as text',
    send: `POST ${FLAGS}`,
    body: { name: 'texted', impressionData: 'yes' },
  },
  {
    what: 'flags: create with an unknown type',
    send: `POST ${FLAGS}`,
    body: { name: 'odd-type', type: 'nonsense' },
  },
  { what: 'flags: broken JSON', send: `POST ${FLAGS}`, body: '{"name":' },
  {
    what: 'flags: not JSON',
    send: `POST ${FLAGS}`,
    body: 'name=x',
    headers: { 'content-type': 'text/plain' },
  },
  ...refusedNames,
  {
    what: 'flags: without token',
    send: `POST ${FLAGS}`,
    as: 'nobody',
    body: { name: 'x' },
  },
  { what: 'flags: with a client token', send: `GET ${FLAGS}`, as: 'client' },
  { what: 'flags: read', send: `GET ${FLAGS}/full` },
  { what: 'flags: read an unknown one', send: `GET ${FLAGS}/none` },
  { what: 'flags: list', send: `GET ${FLAGS}` },
  {
    what: 'flags: validate a free name',
    send: 'POST /api/admin/features/validate',
    body: { name: 'free' },
  },
  {
    what: 'flags: validate a taken name',
    send: 'POST /api/admin/features/validate',
    body: { name: 'plain' },
  },
  {
    what: 'flags: replace',
    send: `PUT ${FLAGS}/full`,
    body: { name: 'full', description: 'Replaced', type: 'release' },
  },
  {
    what: 'flags: replace an unknown one',
    send: `PUT ${FLAGS}/none`,
    body: { name: 'none', description: '' },
  },
  {
    what: 'flags: patch',
    send: `PATCH ${FLAGS}/full`,
    body: [{ op: 'replace', path: '/description', value: 'Patched' }],
  },
  {
    what: 'flags: patch stale',
    send: `PATCH ${FLAGS}/full`,
    body: [{ op: 'replace', path: '/stale', value: true }],
  },
  {
    what: 'flags: clone',
    send: `POST ${FLAGS}/full/clone`,
    body: { name: 'copy' },
  },
  {
    what: 'flags: create another',
    send: `POST ${FLAGS}`,
    body: { name: 'other' },
  },
  { what: 'flags: archive', send: `DELETE ${FLAGS}/other` },
  { what: 'flags: archive again', send: `DELETE ${FLAGS}/other` },
  { what: 'flags: archive an unknown one', send: `DELETE ${FLAGS}/none` },
  {
    what: 'flags: create an archived one',
    send: `POST ${FLAGS}`,
    body: { name: 'other' },
  },
  {
    what: 'flags: revive',
    send: 'POST /api/admin/projects/default/revive',
    body: { features: ['other'] },
  },
  {
    what: 'flags: stale, several',
    send: 'POST /api/admin/projects/default/stale',
    body: { features: ['other'], stale: true },
  },
  {
    what: 'flags: archive, several',
    send: 'POST /api/admin/projects/default/archive',
    body: { features: ['other'] },
  },
  {
    what: 'flags: tag',
    send: 'POST /api/admin/features/full/tags',
    body: { type: 'simple', value: 'alpha' },
  },
  {
    what: 'flags: tag again',
    send: 'POST /api/admin/features/full/tags',
    body: { type: 'simple', value: 'alpha' },
  },
  {
    what: 'flags: tag of an unknown type',
    send: 'POST /api/admin/features/full/tags',
    body: { type: 'none', value: 'alpha' },
  },
  {
    what: 'flags: tag of one letter',
    send: 'POST /api/admin/features/full/tags',
    body: { type: 'simple', value: 'a' },
  },
  { what: 'flags: tags', send: 'GET /api/admin/features/full/tags' },
  {
    what: 'flags: change tags',
    send: 'PUT /api/admin/features/full/tags',
    body: { addedTags: [{ type: 'simple', value: 'beta' }], removedTags: [] },
  },
  {
    what: 'flags: remove a tag',
    send: 'DELETE /api/admin/features/full/tags/simple/beta',
  },
  {
    what: 'flags: depend',
    send: `POST ${FLAGS}/plain/dependencies`,
    body: { feature: 'full' },
  },
  {
    what: 'flags: depend again',
    send: `POST ${FLAGS}/plain/dependencies`,
    body: { feature: 'full', enabled: false },
  },
  {
    what: 'flags: depend on itself',
    send: `POST ${FLAGS}/plain/dependencies`,
    body: { feature: 'plain' },
  },
  {
    what: 'flags: depend on an unknown one',
    send: `POST ${FLAGS}/plain/dependencies`,
    body: { feature: 'none' },
  },
  {
    what: 'flags: depend on a child',
    send: `POST ${FLAGS}/undescribed/dependencies`,
    body: { feature: 'plain' },
  },
  { what: 'flags: archive a parent', send: `DELETE ${FLAGS}/full` },
  { what: 'flags: possible parents', send: `GET ${FLAGS}/undescribed/parents` },
  {
    what: 'flags: end a dependency',
    send: `DELETE ${FLAGS}/plain/dependencies/full`,
  },
  {
    what: 'flags: end all dependencies',
    send: `DELETE ${FLAGS}/plain/dependencies`,
  },
  {
    what: 'flags: link',
    send: `POST ${FLAGS}/plain/link`,
    body: { url: 'https://example.org/x', title: 'X' },
  },
  {
    what: 'flags: link to no address',
    send: `POST ${FLAGS}/plain/link`,
    body: { url: 'ftp://example.org/x' },
  },
  { what: 'flags: search', send: 'GET /api/admin/search/features?query=full' },
  { what: 'flags: legacy list', send: 'GET /api/admin/features' },
  {
    what: 'flags: legacy create',
    send: 'POST /api/admin/features',
    body: { name: 'legacy', strategies: [{ name: 'default' }] },
  },
  {
    what: 'flags: legacy toggle',
    send: 'POST /api/admin/features/plain/toggle/on',
  },
];
