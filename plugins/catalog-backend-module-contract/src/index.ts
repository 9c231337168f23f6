export { catalogModuleContract as default } from './module';
