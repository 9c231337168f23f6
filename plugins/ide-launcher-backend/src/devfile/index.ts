export { chooseRevision } from './chooseRevision';
export { chooseStarterProject } from './chooseStarterProject';
export * from './DevfileLoader';
export { generateWorkspaceName } from './names';
export { DevfileReader } from './read/DevfileReader';
export * from './types';
