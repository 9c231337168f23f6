export type { Access, AddressLimit, Authenticator } from './Access.ts';
export type {
  AnonymousCaller,
  Caller,
  CredentialCaller,
  UserCaller,
} from './Caller.ts';
export { type Auth, isMemberOf } from './createAuth.ts';
export { PORTAL_COOKIE } from './portalUser.ts';
