import type { Case } from '../Case.ts';

const FLAGS = '/api/admin/projects/default/features';
const EU = [{ contextName: 'region', operator: 'IN', values: ['eu'] }];

/** Segments, context fields, tag types, environments, projects and tokens. */
export const registerCases: Case[] = [
  { what: 'context: list', send: 'GET /api/admin/context' },
  {
    what: 'context: create',
    send: 'POST /api/admin/context',
    body: {
      name: 'region',
      description: 'Where',
      stickiness: true,
      legalValues: [{ value: 'eu' }, { value: 'us' }],
    },
  },
  {
    what: 'context: create again',
    send: 'POST /api/admin/context',
    body: { name: 'region' },
  },
  {
    what: 'context: create without name',
    send: 'POST /api/admin/context',
    body: {},
  },
  {
    what: 'context: create with a bad name',
    send: 'POST /api/admin/context',
    body: { name: 'two words' },
  },
  { what: 'context: read', send: 'GET /api/admin/context/region' },
  { what: 'context: read an unknown one', send: 'GET /api/admin/context/none' },
  {
    what: 'context: change',
    send: 'PUT /api/admin/context/region',
    body: {
      description: 'Place',
      legalValues: [{ value: 'eu' }, { value: 'us' }, { value: 'asia' }],
    },
  },
  {
    what: 'context: add a legal value',
    send: 'POST /api/admin/context/region/legal-values',
    body: { value: 'africa', description: 'All of it' },
  },
  {
    what: 'context: remove a legal value',
    send: 'DELETE /api/admin/context/region/legal-values/africa',
  },
  {
    what: 'context: validate',
    send: 'POST /api/admin/context/validate',
    body: { name: 'region' },
  },
  {
    what: 'context: strategies of a field',
    send: 'GET /api/admin/context/region/strategies',
  },
  {
    what: 'context: illegal value',
    send: `POST ${FLAGS}/rules/environments/development/strategies`,
    body: {
      name: 'default',
      constraints: [
        { contextName: 'region', operator: 'IN', values: ['mars'] },
      ],
    },
  },
  { what: 'context: remove', send: 'DELETE /api/admin/context/sessionId' },
  {
    what: 'context: remove an unknown one',
    send: 'DELETE /api/admin/context/none',
  },
  { what: 'segments: list of none', send: 'GET /api/admin/segments' },
  {
    what: 'segments: create',
    send: 'POST /api/admin/segments',
    body: { name: 'europe', description: 'EU', constraints: EU },
    keep: { segment: 'id' },
  },
  {
    what: 'segments: create again',
    send: 'POST /api/admin/segments',
    body: { name: 'europe', constraints: EU },
  },
  {
    what: 'segments: create without constraints',
    send: 'POST /api/admin/segments',
    body: { name: 'void' },
  },
  {
    what: 'segments: create without name',
    send: 'POST /api/admin/segments',
    body: { constraints: EU },
  },
  {
    what: 'segments: create with an unknown operator',
    send: 'POST /api/admin/segments',
    body: {
      name: 'odd',
      constraints: [{ contextName: 'region', operator: 'NOPE', values: [] }],
    },
  },
  { what: 'segments: read', send: 'GET /api/admin/segments/{segment}' },
  {
    what: 'segments: read an unknown one',
    send: 'GET /api/admin/segments/4711',
  },
  {
    what: 'segments: read one of letters',
    send: 'GET /api/admin/segments/abc',
  },
  {
    what: 'segments: replace',
    send: 'PUT /api/admin/segments/{segment}',
    body: { name: 'europe', constraints: EU },
  },
  {
    what: 'segments: use',
    send: `POST ${FLAGS}/rules/environments/development/strategies`,
    body: { name: 'default', segments: ['{segment}'] },
  },
  {
    what: 'segments: where used',
    send: 'GET /api/admin/segments/{segment}/strategies',
  },
  {
    what: 'segments: remove while used',
    send: 'DELETE /api/admin/segments/{segment}',
  },
  {
    what: 'segments: remove an unknown one',
    send: 'DELETE /api/admin/segments/4711',
  },
  {
    what: 'segments: validate a taken name',
    send: 'POST /api/admin/segments/validate',
    body: { name: 'europe' },
  },
  { what: 'tag types: list', send: 'GET /api/admin/tag-types' },
  {
    what: 'tag types: create',
    send: 'POST /api/admin/tag-types',
    body: { name: 'team', description: 'Who', icon: 'T' },
  },
  { what: 'environments: list', send: 'GET /api/admin/environments' },
  {
    what: 'environments: read',
    send: 'GET /api/admin/environments/production',
  },
  {
    what: 'environments: read an unknown one',
    send: 'GET /api/admin/environments/none',
  },
  {
    what: 'environments: create',
    send: 'POST /api/admin/environments',
    body: { name: 'staging', type: 'test' },
  },
  {
    what: 'environments: off',
    send: 'POST /api/admin/environments/production/off',
  },
  {
    what: 'environments: on',
    send: 'POST /api/admin/environments/production/on',
  },
  {
    what: 'environments: sort',
    send: 'PUT /api/admin/environments/sort-order',
    body: { development: 1, production: 2 },
  },
  {
    what: 'environments: of a project',
    send: 'GET /api/admin/environments/project/default',
  },
  { what: 'projects: list', send: 'GET /api/admin/projects' },
  {
    what: 'projects: create',
    send: 'POST /api/admin/projects',
    body: { id: 'shop', name: 'Shop' },
  },
  {
    what: 'projects: overview',
    send: 'GET /api/admin/projects/default/overview',
  },
  {
    what: 'tokens: create for clients',
    send: 'POST /api/admin/api-tokens',
    body: {
      tokenName: 'ci',
      type: 'client',
      environment: 'development',
      projects: ['*'],
    },
  },
  {
    what: 'tokens: create for backends',
    send: 'POST /api/admin/api-tokens',
    body: {
      tokenName: 'server',
      type: 'backend',
      environment: 'development',
      projects: ['default'],
    },
  },
  {
    what: 'tokens: create for frontends',
    send: 'POST /api/admin/api-tokens',
    body: {
      tokenName: 'page',
      type: 'frontend',
      environment: 'development',
      projects: ['default'],
    },
  },
  {
    what: 'tokens: create for admins',
    send: 'POST /api/admin/api-tokens',
    body: { tokenName: 'root', type: 'admin' },
  },
  {
    what: 'tokens: create of an unknown type',
    send: 'POST /api/admin/api-tokens',
    body: { tokenName: 'odd', type: 'nonsense' },
  },
  {
    what: 'tokens: create for an unknown environment',
    send: 'POST /api/admin/api-tokens',
    body: { tokenName: 'lost', type: 'client', environment: 'none' },
  },
  {
    what: 'tokens: create without environment',
    send: 'POST /api/admin/api-tokens',
    body: { tokenName: 'short', type: 'client' },
  },
  {
    what: 'tokens: create without name',
    send: 'POST /api/admin/api-tokens',
    body: { type: 'client' },
  },
  {
    what: 'tokens: create expired',
    send: 'POST /api/admin/api-tokens',
    body: {
      tokenName: 'late',
      type: 'client',
      environment: 'development',
      expiresAt: '2020-01-01T00:00:00.000Z',
    },
  },
  { what: 'tokens: list', send: 'GET /api/admin/api-tokens' },
  { what: 'strategies of the server', send: 'GET /api/admin/strategies' },
  { what: 'types of flags', send: 'GET /api/admin/feature-types' },
  { what: 'events', send: 'GET /api/admin/events?limit=2' },
  { what: 'events: search', send: 'GET /api/admin/search/events?limit=2' },
  {
    what: 'playground',
    send: 'POST /api/admin/playground',
    body: {
      environment: 'development',
      projects: '*',
      context: { appName: 'shop', userId: '1' },
    },
  },
  { what: 'unknown path', send: 'GET /api/admin/nothing-here' },
];
