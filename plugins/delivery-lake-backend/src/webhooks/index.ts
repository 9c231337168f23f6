export {
  createWebhookRoutes,
  SIGNED_WEBHOOK_PATHS,
} from './http/createWebhookRoutes';
export { mapDelivery } from './mapDelivery';
export type { MappedDelivery } from './MappedDelivery';
