export { deliveryLakePlugin as default } from './plugin';
