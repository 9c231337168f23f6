export * from './devfileUrl';
export * from './permissions';
export * from './workspace';
