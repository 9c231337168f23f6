export { CommandBlueprint } from './commands/CommandBlueprint';
export { commandsApiRef } from './commands/CommandsApi';
export type {
  Command,
  CommandDialogProps,
  CommandsApi,
} from './commands/CommandsApi';
