export {
  type Administration,
  administrationSchema,
  configuredToken,
  incomingWebhook,
  type Role,
  type Token,
  type TokenKind,
  type Webhook,
} from './administration.ts';
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
export { byUrgency } from './byUrgency.ts';
export { changeOf, type Scale } from './changeOf.ts';
export {
  entitySummarySchema,
  timelineAnswerSchema,
  type EntitySummary,
  type Fact,
  ITEM_KINDS,
  type ItemKind,
  MAX_NEEDS,
  type Need,
  type TimelineItem,
  type Tone,
  TONES,
} from './contract.ts';
export {
  componentNaming,
  type CatalogEntity,
  type CatalogReader,
  type EntityScope,
  EntityNotFoundError,
  InvalidEntityRefError,
  namesIn,
  resolveScope,
  type ScopedComponent,
  summaryOf,
} from './EntityScope.ts';
export { beginningsOf, scopeAbout } from './noticeScope.ts';
export { parseInstant } from './parseInstant.ts';
export {
  EntityQueryError,
  newestFirst,
  readTimelineQuery,
  type TimelineQuery,
} from './timelineQuery.ts';
export { figure, isoOf, labelOf, shortened } from './figure.ts';
