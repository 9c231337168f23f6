export {
  createAdministrationRouter,
  rolesOf,
} from './administration/administrationRouter';
export { auditorFactory } from './audit/auditor';
export { AuditTrail, auditTrailRef } from './audit/AuditTrail';
export { databaseFactory } from './databaseFactory';
export {
  createEntityRouter,
  type EntityPart,
  ownershipOf,
} from './entities/entityRouter';
export { contractHttpRouterFactory } from './httpRouter/contractHttpRouter';
export { isDryRun } from './httpRouter/contractRoutes';
export {
  type Caller,
  callerOf,
  callerOfUser,
  createPermissionGuard,
  nameTarget,
} from './permissions/access';
export {
  describeIssue,
  issuePath,
  jsonBody,
  methodNotAllowed,
  namespaceNameSchema,
  parseInput,
} from './http/requests';
export { serveOpenApi } from './http/openApi';
export {
  ADMIN_PERMISSIONS,
  administrationPermission,
} from './permissions/administration';
export { permissionPolicyModule, readAdminGroups } from './permissions/policy';
export { ReadingRules } from './reading/ReadingRules';
export { readWithin } from './reading/readWithin';
export { boundedUrlReaderFactory } from './reading/BoundedUrlReader';
export { readinessRef } from './root/readiness';
export { createPortalRoot } from './root/portalRoot';
export { contractRootHttpRouterFactory } from './root/rootHttpRouter';
export { productionGuardFactory } from './production/productionGuard';
export { findDuplicateKey, findYamlStructureFault } from './yaml/yamlStructure';
export type { YamlLimits } from './yaml/yamlStructure';
