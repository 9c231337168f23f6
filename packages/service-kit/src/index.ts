export {
  type Access,
  actorOf,
  type Authenticator,
  type Caller,
  type CredentialCaller,
  looksLikeActor,
} from './auth/Access.ts';
export { type Auth, isMemberOf } from './auth/createAuth.ts';
export {
  type CommonConfig,
  CredentialConfig,
  CredentialName,
  section,
} from './config/CommonConfig.ts';
export {
  administrationRoute,
  configuredTokens,
  outgoingWebhook,
} from './administration/administrationRoute.ts';
export { auditAdministration } from './audit/auditAdministration.ts';
export {
  CHAT_KINDS,
  CHAT_TITLES,
  type ChatKind,
  type ChatMessage,
  chatPayload,
} from './chat/chatPayload.ts';
export {
  createScopeReader,
  type EntityPart,
  entityRoutes,
  type ScopeReader,
} from './entities/entityRoutes.ts';
export {
  type Database,
  openDatabase,
  type Transaction,
} from './database/openDatabase.ts';
export { DatabaseUnavailableError } from './database/databaseErrors.ts';
export { GroupWriter } from './database/GroupWriter.ts';
export { migrate } from './database/migrate.ts';
export { chunksOf, contains } from './database/sql.ts';
export {
  type ErrorFormat,
  groupBErrors,
  groupCErrors,
} from './errors/ErrorFormat.ts';
export {
  type Fault,
  type FaultKind,
  ConfigurationError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitedError,
  ServiceError,
  UnauthenticatedError,
  UnavailableError,
} from './errors/ServiceError.ts';
export { validationFault } from './errors/validationFault.ts';
export { violationsOf } from './http/compileSchemas.ts';
export { disconnectSignal } from './http/disconnectSignal.ts';
export { isJsonObject } from './http/isJsonObject.ts';
export { acceptJson, repairJson } from './http/parseJson.ts';
export { assertMatches, preconditionOf } from './http/preconditions.ts';
export { readTextMembers } from './http/scanJson.ts';
export { parseInstant } from '@slipway/entity-contract';
export { Timestamp, instantOf } from './time/Timestamp.ts';
export type { ServiceApp } from './http/ServiceApp.ts';
export { addressBudget, type RateLimits } from './limits/RateLimits.ts';
export type { Metrics } from './metrics/Metrics.ts';
export { backOff, Outbox } from './outbox/Outbox.ts';
export {
  deliveryListOf,
  presentDelivery,
  type WebhookAdminFormat,
} from './outbox/presentDelivery.ts';
export { webhookAdminRoutes, WebhookUrl } from './outbox/webhookAdmin.ts';
export type { WebhookEndpoint } from './outbox/WebhookEndpoints.ts';
export {
  type AttemptOutcome,
  attemptRequest,
} from './outbox/attemptRequest.ts';
export { signWebhook } from './outbox/sendWebhook.ts';
export type { WebhookDelivery } from './outbox/WebhookDelivery.ts';
export { LeasedQueue, type LeasedItem } from './queue/LeasedQueue.ts';
export {
  PortalAnswerError,
  PortalClient,
  withoutSlash,
} from './portal/PortalClient.ts';
export { readManifest } from './service/readManifest.ts';
export { createService, type Service } from './service/createService.ts';
export { runService } from './service/runService.ts';
export {
  defineService,
  type ServiceDefinition,
  type ServiceKit,
} from './service/ServiceKit.ts';
export { openCipher } from './secrets/openCipher.ts';
export type { SecretCipher } from './secrets/SecretCipher.ts';
