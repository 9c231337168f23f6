export * from './annotations';
export * from './deployments';
export * from './dora';
export * from './incidents';
export * from './overview';
export * from './permissions';
