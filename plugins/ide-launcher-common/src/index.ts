export * from './annotations';
export * from './permissions';
export * from './workspace';
