export {
  CreateCredentialDialog,
  NewSecret,
} from './credentials/CreateCredentialDialog';
export { CredentialTable } from './credentials/CredentialTable';
export {
  EntityPartBlueprint,
  entityPartsApiRef,
  EntityPartsClient,
  useEntitySummaries,
  useEntityTimeline,
} from './entities/entityParts';
export {
  actorName,
  changeText,
  marksByBucket,
  useChangesOf,
} from './entities/changes';
export type { ChartMark } from './entities/changes';
export { namesIn, refOf } from './entities/components';
export { useListOfComponents } from './entities/useListOfComponents';
export type { ListOfComponents } from './entities/useListOfComponents';
export { useTitles } from './entities/titles';
export { isSuspectedFlag, useSuspectedFlags } from './entities/suspects';
export type { EntityPart, EntityPartsApi } from './entities/entityParts';
export {
  isConflict,
  isMissing,
  isTransient,
  isUnreachable,
  readFailedCall,
} from './failures/failedCall';
export type { FailedCall } from './failures/failedCall';
export { ReadFailure, SendFailure, useErrorWords } from './failures/failures';
export { Flag, useFlag } from './flags/Flag';
export type { FlagProps } from './flags/Flag';
export { PortalFlags, portalFlagsApiRef } from './flags/PortalFlags';
export type { PortalFlagsApi } from './flags/PortalFlags';
export { readEvents } from './http/readEvents';
export { safeAddress } from './http/safeAddress';
export { ServiceClient, toErrorEnvelope } from './http/ServiceClient';
export type { CallOptions, ServiceCall } from './http/ServiceClient';
export { ActionButtons, ActionMenu } from './palette/ActionButtons';
export { useAct } from './palette/useAct';
export { PaletteSourceBlueprint, paletteApiRef } from './palette/palette';
export type {
  ActionResult,
  ActionSubject,
  InstalledSource,
  PaletteAct,
  PaletteApi,
  PaletteDialogProps,
  PaletteItem,
  PaletteSource,
} from './palette/palette';
export { usePaletteList, usePaletteSearch } from './palette/sources';
export type { PaletteAnswers, PaletteEntry } from './palette/sources';
export type { SourceContext } from './palette/SourceContext';
export {
  AppQueries,
  queryClientFactoryApiRef,
  reloadAll,
} from './queries/clientsOfApp';
export { detailPage, pageWithTabs } from './pages/pageWithTabs';
export type { PageFrameProps } from './pages/pageWithTabs';
export {
  clientOfService,
  pagesOfService,
  ServicePages,
  wrapperOfPages,
} from './pages/pagesOfService';
export type { ServiceWords } from './pages/pagesOfService';
export {
  Loaded,
  QueryTable,
  useServiceChange,
  useServiceEvents,
  useServiceQuery,
} from './queries/queries';
export type { LoadableQuery, ServiceRevision } from './queries/queries';
export { useInOrder } from './queries/useInOrder';
export { useUserSetting } from './settings/useUserSetting';
export { SavedViews } from './views/SavedViews';
export {
  matchesWords,
  useDebounced,
  useSearched,
  useSearchedWords,
} from './views/search';
export { useBulkChange } from './toasts/useBulkChange';
export { postWithButton, useUndoToast } from './toasts/toastWithButton';
export { SidebarFootButton, SidebarFootSlot } from './shell/sidebarFoot';
export type { SidebarFootButtonProps } from './shell/sidebarFoot';
