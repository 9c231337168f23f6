export {
  createService,
  type CreateServiceOptions,
  type Service,
} from './createService.ts';
export { runService } from './runService.ts';
export {
  type ConfigOf,
  defineService,
  type ServiceDefinition,
} from './ServiceDefinition.ts';
export type { PeriodicWork } from './PeriodicWork.ts';
export type { ServiceKit } from './ServiceKit.ts';
