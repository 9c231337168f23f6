export {
  AUDIT_LIMITS,
  auditAnswerSchema,
  type AuditAnswer,
  type AuditEntry,
} from './audit.ts';
export {
  type Act,
  type AuditQuery,
  DatabaseAuditLog,
} from './storage/DatabaseAuditLog.ts';
export { changeOf, type Scale } from './changeOf.ts';
export {
  entitySummarySchema,
  FACT_KINDS,
  ITEM_KINDS,
  SUMMARY_STATES,
  TONES,
  timelineAnswerSchema,
  type EntitySummary,
  type Fact,
  type ItemKind,
  type Need,
  type TimelineItem,
  type Tone,
} from './contract.ts';
export {
  type CatalogEntity,
  type CatalogReader,
  type EntityScope,
  EntityNotFoundError,
  InvalidEntityRefError,
  MOST_COMPONENTS,
  namesIn,
  resolveScope,
  type ScopedComponent,
} from './EntityScope.ts';
export {
  EntityQueryError,
  newestFirst,
  readTimelineQuery,
  type TimelineQuery,
} from './timelineQuery.ts';
export { figure, isoOf, labelOf } from './figure.ts';
