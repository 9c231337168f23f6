export { featureFlagsPlugin as default } from './plugin';
