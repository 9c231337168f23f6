export { CommandBlueprint } from './commands/CommandBlueprint';
export { commandsApiRef } from './commands/CommandsApi';
export type {
  Command,
  CommandDialogProps,
  CommandsApi,
} from './commands/CommandsApi';
export { CreateCredentialDialog } from './credentials/CreateCredentialDialog';
export { CredentialTable } from './credentials/CredentialTable';
export {
  EntityPartBlueprint,
  EntityParts,
  EntityPartsClient,
  entityPartsApiRef,
  useEntitySummaries,
  useEntityTimeline,
} from './entities/entityParts';
export type { Asked, EntityPart, EntityPartsApi } from './entities/entityParts';
export type { FailedCall } from './failures/failures';
export {
  ReadFailure,
  SendFailure,
  isMissing,
  readFailedCall,
  useErrorWords,
} from './failures/failures';
export { ServiceClient } from './http/ServiceClient';
export type { ServiceCall } from './http/ServiceClient';
export { toErrorEnvelope } from './http/toErrorEnvelope';
export { detailPage, pageWithTabs } from './pages/pageWithTabs';
export type { PageFrameProps } from './pages/pageWithTabs';
export {
  ServicePages,
  clientOfService,
  pagesOfService,
  queryClientFactoryApiRef,
  wrapperOfPages,
} from './pages/pagesOfService';
export type { ServiceWords } from './pages/pagesOfService';
export { createServiceQueryClient } from './pages/createServiceQueryClient';
export {
  Loaded,
  QueryTable,
  useServiceChange,
  useServiceQuery,
} from './queries/queries';
