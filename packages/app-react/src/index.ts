export { CommandBlueprint } from './commands/CommandBlueprint';
export { commandsApiRef } from './commands/CommandsApi';
export type {
  Command,
  CommandDialogProps,
  CommandsApi,
} from './commands/CommandsApi';
export { createServiceQueryClient } from './queries/createServiceQueryClient';
export { ServiceClient } from './http/ServiceClient';
export type { ServiceCall } from './http/ServiceClient';
