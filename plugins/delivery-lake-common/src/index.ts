export * from './connections';
export * from './deployments';
export * from './dora';
export * from './incidents';
export * from './overview';
export * from './permissions';
export * from './trackers';
