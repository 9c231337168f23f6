import { createHmac } from 'node:crypto';
import { basic } from '@slipway/build-server/src/__testUtils__/startBuildServer.ts';
import type { PartName, Platform, PlatformRequest } from './Platform';

/** The variable parts of a request for a row. */
export interface Asked {
  /** Values of the path parameters. */
  params?: Record<string, string>;
  query?: string;
  /** Replaces the body of the route, if the body identifies the object. */
  body?: unknown;
  /** Text contained in a response that shows the full object. */
  text?: string;
}

/** Data that a caller sends with a request to authenticate. */
export interface Credential {
  headers?: Record<string, string>;
  query?: string;
  /** Signs the body, for routes that require a signature. */
  sign?(body: string): Record<string, string>;
}

/** Obtains a credential from the part itself. */
export type FetchCredential = (platform: Platform) => Promise<Credential>;

/** Describes routes that require a body: permitted callers get 400 for an empty one. */
export const EMPTY: RouteRequest = { accepted: 400 };

/** A status of a request that is permitted, but changes nothing. */
type Refusal = 400 | 404 | 409 | 429 | 503;

/** The parts of a request that are the same for all objects. */
export interface RouteRequest {
  query?: string;
  body?: unknown;
  /** Statuses that permitted callers get, if the request changes nothing. */
  accepted?: Refusal | readonly Refusal[];
  /** True if the route shows only what happened after its object was created. */
  needsNewObject?: boolean;
}

/** The requests for the routes of one part of the policy. */
export interface PartRequests {
  part: PartName;
  /** Credentials of roles that exist only in this part; those that the part issues are fetched. */
  credentials: Record<string, Credential | FetchCredential>;
  /** Creates a new object, by its name in the table. */
  objects: Record<string, (platform: Platform) => Promise<Asked> | Asked>;
  /** Brings the part into the state that its routes require. */
  prepare?(platform: Platform): void;
  /** Removes objects that would keep a part busy during the tests of the others. */
  tidy?(platform: Platform): Promise<void>;
  /** Requests for routes that need more than an empty object, by method and path. */
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

/** Invalid credentials, one for each way of sending them. */
export const WRONG: readonly Credential[] = [
  bearer('wrong'),
  bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJ1c2VyOmRlZmF1bHQvYWRhIn0.'),
  { headers: { authorization: basic('dev', 'wrong') } },
  { headers: { cookie: 'backstage-auth=wrong' } },
  apiKey('wrong'),
];

/** Credentials of the roles that all parts have in common. */
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
/** Returns a unique name. */
export function fresh(prefix: string): string {
  made += 1;
  return `${prefix}-${made}`;
}

/** A webhook endpoint that never receives anything. */
export const webhook = {
  url: 'https://hooks.example.org/x',
  events: ['*'],
  secret: 'a-secret-of-many-letters',
};

/** A webhook that does not exist. */
export const noWebhook = (): Asked => ({ params: { id: 'none' } });

/** Returns the component shop, which grace's team owns. */
export const componentOfOwner = () => ({
  params: { ref: encodeURIComponent('component:default/shop') },
});
