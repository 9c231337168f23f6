export * from './bodies/index.ts';
export { brokenRequestAnswer, ignoreExpectations } from './brokenRequests.ts';
export * from './egress/index.ts';
export * from './forges/index.ts';
export * from './production/index.ts';
