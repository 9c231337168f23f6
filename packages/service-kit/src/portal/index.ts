export { PortalAnswerError } from './PortalAnswerError.ts';
export { PortalClient } from './PortalClient.ts';
