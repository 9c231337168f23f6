export {
  exclusiveTransaction,
  isPostgres,
} from './database/exclusiveTransaction';
export { openDatabase } from './database/openDatabase';
export { contractHttpRouterFactory } from './httpRouter/contractHttpRouter';
export { isDryRun } from './httpRouter/contractRoutes';
export { callerOf } from './http/callerOf';
export type { Caller } from './http/callerOf';
export { jsonBody } from './http/jsonBody';
export { methodNotAllowed } from './http/methodNotAllowed';
export { serveOpenApi } from './http/openApiRoute';
export { describeIssue, issuePath, parseInput } from './http/parse';
export { createPermissionGuard } from './permissions/permissionGuard';
export { permissionPolicyModule } from './permissions/module';
export { ReadingRules } from './reading/ReadingRules';
export { readWithin } from './reading/readWithin';
export { boundedUrlReaderFactory } from './reading/urlReaderFactory';
export { readinessRef } from './root/readiness';
export { createPortalRoot } from './root/portalRoot';
export { contractRootHttpRouterFactory } from './root/rootHttpRouter';
export { productionGuardFactory } from './production/rootGuard';
export { findDuplicateKey, findYamlStructureFault } from './yaml/yamlStructure';
export type { YamlLimits } from './yaml/yamlStructure';
