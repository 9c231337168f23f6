export {
  identifyProcess,
  isRunning,
  type ProcessIdentity,
  processNamespace,
  startTimeOf,
} from './identity.ts';
export { lowerPriority } from './priority.ts';
export {
  listEnvironments,
  listProcesses,
  type ProcessWithEnvironment,
  privateMemory,
  processIds,
  readEnvironment,
  readProcess,
} from './processTable.ts';
export {
  findProgram,
  isRoot,
  mountArguments,
  type SandboxMounts,
} from './sandbox.ts';
export { endGroup, isReachable, sendSignal } from './signals.ts';
export {
  connectNetwork,
  ownAddresses,
  SLIRP_GATEWAY,
  SLIRP_NAMESERVER,
} from './slirp.ts';
