export { CommandBlueprint, commandsApiRef } from './commands/commands';
export type {
  Command,
  CommandDialogProps,
  CommandsApi,
} from './commands/commands';
export { CreateCredentialDialog } from './credentials/CreateCredentialDialog';
export { CredentialTable } from './credentials/CredentialTable';
export {
  EntityPartBlueprint,
  EntityParts,
  entityPartsApiRef,
  EntityPartsClient,
  useEntitySummaries,
  useEntityTimeline,
} from './entities/entityParts';
export type { Asked, EntityPart, EntityPartsApi } from './entities/entityParts';
export {
  isMissing,
  readFailedCall,
  ReadFailure,
  SendFailure,
  useErrorWords,
} from './failures/failures';
export type { FailedCall } from './failures/failures';
export { ServiceClient, toErrorEnvelope } from './http/ServiceClient';
export type { ServiceCall } from './http/ServiceClient';
export { detailPage, pageWithTabs } from './pages/pageWithTabs';
export type { PageFrameProps } from './pages/pageWithTabs';
export {
  clientOfService,
  pagesOfService,
  queryClientFactoryApiRef,
  ServicePages,
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
