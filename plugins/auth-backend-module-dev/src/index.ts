export { authModuleDevProvider as default } from './module';
