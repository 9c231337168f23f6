export type { Access, AddressLimit, Authenticator } from './Access.ts';
export {
  actorOf,
  type AnonymousCaller,
  type Caller,
  type CredentialCaller,
  looksLikeActor,
  type UserCaller,
} from './Caller.ts';
export { type Auth, isMemberOf } from './createAuth.ts';
export { PORTAL_COOKIE } from './portalUser.ts';
