import { createHmac } from 'node:crypto';
import { basic } from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import type { PartName, Platform, PlatformRequest } from './Platform';

/** What a request of a row is made of. */
export interface Asked {
  /** Values of the path's parameters. */
  params?: Record<string, string>;
  query?: string;
  /** Stands in an answer that shows all of the object. */
  text?: string;
}

/** What a caller sends to say who it is, beside the request. */
export interface Credential {
  headers?: Record<string, string>;
  query?: string;
  /** Signs the body, where the route takes a signature. */
  sign?(body: string): Record<string, string>;
}

/** The answer of routes that want a body: callers who may get 400 for an empty one. */
export const EMPTY: RouteRequest = { accepted: 400 };

/** What a request of a route holds, whatever it is about. */
export interface RouteRequest {
  query?: string;
  body?: unknown;
  /** The status of a caller who may, as the request is one that changes nothing. */
  accepted?: 400 | 404 | 409 | 429 | 503;
}

/** How the routes of one part of the policy are asked. */
export interface PartRequests {
  part: PartName;
  /** Credentials of roles that only this part has. */
  credentials: Record<string, Credential>;
  /** Makes an object, of which nothing is changed yet; by its name in the table. */
  objects: Record<string, (platform: Platform) => Promise<Asked> | Asked>;
  /** How routes are asked that want more than an empty object, by method and path. */
  routes: Record<string, RouteRequest>;
}

export const bearer = (token: string): Credential => ({
  headers: { authorization: `Bearer ${token}` },
});
export const apiKey = (key: string): Credential => ({
  headers: { 'x-api-key': key },
});
export const githubSignature = (secret: string): Credential => ({
  sign: body => ({
    'x-github-event': 'ping',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret)
      .update(body)
      .digest('hex')}`,
  }),
});

/** What is no credential of anything, in each of the ways that one is sent. */
export const WRONG: readonly Credential[] = [
  bearer('wrong'),
  bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyOmRlZmF1bHQvYWRhIn0.'),
  { headers: { authorization: basic('dev', 'wrong') } },
  { headers: { cookie: 'backstage-auth=wrong' } },
  apiKey('wrong'),
];

/** Roles that are the same for all parts. */
export function commonCredentials(
  platform: Platform,
): Record<string, Credential> {
  const { ada, grace, lin } = platform.sessions;
  return {
    anonymous: {},
    user: bearer(lin),
    owner: bearer(grace),
    admin: bearer(ada),
    'service token': bearer('dev-service-token'),
  };
}

export const asOwner = (platform: Platform, request: PlatformRequest) => ({
  ...request,
  headers: { authorization: `Bearer ${platform.sessions.grace}` },
});
export const asAdmin = (platform: Platform, request: PlatformRequest) => ({
  ...request,
  headers: { authorization: `Bearer ${platform.sessions.ada}` },
});

let made = 0;
/** A name that nothing has yet. */
export function fresh(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

/** An endpoint of webhooks that nobody is sent anything at. */
export const webhook = {
  url: 'https://hooks.example.org/x',
  events: ['*'],
  secret: 'a-secret-of-many-letters',
};

/** The component shop, which grace's team owns. */
export const componentOfOwner = () => ({
  params: { ref: encodeURIComponent('component:default/shop') },
});
