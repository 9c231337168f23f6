export { demoPlugin as default } from './plugin';
