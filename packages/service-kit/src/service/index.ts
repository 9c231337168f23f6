export { createService, type Service } from './createService.ts';
export { runService } from './runService.ts';
export { defineService, type ServiceDefinition } from './ServiceDefinition.ts';
export type { ServiceKit } from './ServiceKit.ts';
