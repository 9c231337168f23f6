export type { Access, Authenticator } from './Access.ts';
export {
  actorOf,
  type Caller,
  type CredentialCaller,
  looksLikeActor,
} from './Caller.ts';
export { type Auth, isMemberOf } from './createAuth.ts';
