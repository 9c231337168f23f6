export type { ErrorFormat } from './ErrorFormat.ts';
export { type Fault, type FaultKind, faultStatus } from './Fault.ts';
export { groupBErrors } from './groupBErrors.ts';
export { groupCErrors } from './groupCErrors.ts';
export {
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  RateLimitedError,
  ServiceError,
  UnauthenticatedError,
  UnavailableError,
} from './ServiceError.ts';
export { validationFault } from './validationFault.ts';
