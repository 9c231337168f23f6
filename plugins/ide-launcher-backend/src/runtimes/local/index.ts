export { LocalRuntime } from './LocalRuntime';
export type {
  EditorCommand,
  LeaseOptions,
  LocalRuntimeLimits,
  LocalRuntimeOptions,
} from './LocalRuntimeOptions';
export {
  readLocalRuntimeOptions,
  type ReadLocalRuntimeDependencies,
} from './readLocalRuntimeOptions';
