import fc, { type Arbitrary } from 'fast-check';
import type { Parameter, Route } from '../routes/Route.ts';
import { bodiesOf } from './bodies.ts';
import {
  type Credential,
  credentialsOf,
  type Header,
  oddHeaders,
} from './headers.ts';
import type { HostileRequest } from '../http/Connection.ts';
import { type KnownValues, nastyText, valuesOf, wellFormed } from './values.ts';

/** The input for requests to a part, besides its description. */
export interface Ingredients {
  credentials: readonly Credential[];
  known: KnownValues;
}

/** Maximum characters of an encoded value: servers do not read a head of more than 16 KiB. */
const LONGEST_VALUE = 5_000;

/** Unknown paths, and routes with something in the wrong place. */
const oddPaths = [
  '//',
  '/..',
  '/./',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/%',
  '/%00',
  '/%E0%A4%A',
  '/%ff',
  '/?',
  '/#',
  '*',
  'http://evil.example/',
  '/\x80\xff',
  `/${'a'.repeat(1_500)}`,
  `/${'a'.repeat(14_000)}`,
  `/${'a/'.repeat(5_000)}`,
  `/${'%2f'.repeat(4_000)}`,
  '/__proto__',
  '/constructor',
  '/node_modules/',
  '/.env',
  '/app-config.yaml',
  '/api/../../../etc/passwd',
];

const queryTail = fc.oneof(
  { weight: 12, arbitrary: fc.constant('') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a[b][c]=1',
      '__proto__[x]=1',
      'constructor[prototype][x]=1',
      '%',
      '%00',
      '%E0%A4%A',
      '&&&===&',
      'a=1&a=2&a=3',
      `a=${'x'.repeat(8_000)}`,
      `${'a'.repeat(8_000)}`,
      'a&'.repeat(3_000),
      'a[]=1&'.repeat(1_000),
      `a${'[b]'.repeat(2_000)}=1`,
      '+'.repeat(5_000),
      'a=%F0%9F',
    ),
  },
);

/** Generates requests to one route, deterministic for fast-check's seed. */
export function requestsOf(
  route: Route,
  { credentials, known }: Ingredients,
): Arbitrary<HostileRequest> {
  const isBodyDue = Object.keys(route.bodies).length > 0;
  return fc
    .record({
      path: pathsOf(route, known),
      query: queriesOf(route, known),
      body: fc.oneof(
        { weight: isBodyDue ? 1 : 11, arbitrary: fc.constant(undefined) },
        {
          weight: isBodyDue ? 23 : 1,
          arbitrary: bodiesOf(route.bodies, known),
        },
      ),
      credential: credentialsOf(credentials),
      parameters: headersOf(route, known),
      odd: oddHeaders,
      cutAt: fc.oneof(
        { weight: 40, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
      ),
    })
    .map(({ path, query, body, credential, parameters, odd, cutAt }) => {
      const search = [query, credential.query].filter(Boolean).join('&');
      const headers = [
        ...(odd.some(isNamed('host')) ? [] : [['Host', 'localhost'] as const]),
        ...credential.headers,
        ...parameters,
        ...(body?.headers ?? []),
        ...odd,
      ];
      return {
        method: route.method,
        target: search ? `${path}?${search}` : path,
        headers,
        body: body?.body,
        // The server would wait for the rest of such a body.
        cutAt: odd.some(isNamed('transfer-encoding', 'content-length'))
          ? 1
          : cutAt,
      };
    });
}

/** Generates paths of a route, a few of them malformed. */
function pathsOf(route: Route, known: KnownValues): Arbitrary<string> {
  const names = route.path.split(/\{(\w+)\}/);
  const filled = fc
    .tuple(
      ...names.map((part, index) =>
        index % 2 === 0 ? fc.constant(part) : segmentsOf(route, part, known),
      ),
    )
    .map(parts => parts.join(''));
  return fc.oneof(
    { weight: 20, arbitrary: filled },
    {
      weight: 1,
      arbitrary: fc
        .tuple(filled, fc.constantFrom(...oddPaths))
        .map(([path, odd]) => path + odd),
    },
    { weight: 1, arbitrary: fc.constantFrom(...oddPaths) },
  );
}

/** Generates values for a path parameter, mostly existing ones. */
function segmentsOf(
  { parameters }: Route,
  name: string,
  known: KnownValues,
): Arbitrary<string> {
  const schema = parameters.find(each => each.name === name)?.schema ?? {};
  const there = known[name]
    ? fc.constantFrom(...known[name]).map(String)
    : valuesOf(schema, known).map(String);
  return fc.oneof(
    { weight: 4, arbitrary: there.map(encode) },
    { weight: 1, arbitrary: nastyText.map(encode) },
    { weight: 1, arbitrary: fc.constantFrom('%', '%00', '..%2f', '.', '%ff') },
  );
}

/** Generates query strings, without the question mark. */
function queriesOf(
  { parameters }: Route,
  known: KnownValues,
): Arbitrary<string> {
  const pairs = parameters
    .filter(parameter => parameter.in === 'query')
    .map(parameter => pairsOf(parameter, known));
  return fc
    .tuple(fc.tuple(...pairs), queryTail)
    .map(([named, tail]) => [...named, tail].filter(Boolean).join('&'));
}

/** Generates one query parameter; often none, sometimes an invalid one. */
function pairsOf(
  { name, schema }: Parameter,
  known: KnownValues,
): Arbitrary<string> {
  const good = known[name]
    ? fc.constantFrom(...known[name])
    : valuesOf(schema, known).map(value =>
        typeof value === 'string' ? value : JSON.stringify(value),
      );
  const pair = (value: unknown) => `${name}=${encode(String(value))}`;
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 6, arbitrary: good.map(pair) },
    { weight: 3, arbitrary: nastyText.map(pair) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        name,
        `${name}=`,
        `${name}[a]=1`,
        `${name}[a][b]=1`,
        `${name}[]=1&${name}[]=2`,
        `${name}=1&${name}=2`,
        `${name}[__proto__]=1`,
        `${name}.length=9`,
        `${name}=%`,
        `${name}=%ff`,
        `${name}=a=b,`.repeat(500),
      ),
    },
  );
}

/** Generates the headers that the description of a route defines. */
function headersOf(
  { parameters }: Route,
  known: KnownValues,
): Arbitrary<readonly Header[]> {
  return fc.tuple(
    ...parameters
      .filter(parameter => parameter.in === 'header')
      .map(({ name, schema }) =>
        valuesOf(schema, known).map<Header>(value => [
          name,
          String(value).replaceAll(/[^ -~]/g, '?'),
        ]),
      ),
  );
}

function isNamed(...names: string[]): (header: Header) => boolean {
  return ([name]) => names.includes(name.toLowerCase());
}

/** Encodes a text for a URL, short enough for servers to read. */
function encode(text: string): string {
  return encodeURIComponent(wellFormed(text))
    .slice(0, LONGEST_VALUE)
    .replace(/%[0-9A-F]?$/, '');
}
