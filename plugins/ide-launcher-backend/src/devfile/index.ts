export { chooseRevision, GIT_REVISION } from './chooseRevision';
export { chooseStarterProject } from './chooseStarterProject';
export * from './DevfileLoader';
export { formatIssue } from './issue';
export { generateWorkspaceName } from './names';
export { DevfileReader } from './read/DevfileReader';
export * from './types';
