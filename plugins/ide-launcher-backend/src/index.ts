export { ideLauncherPlugin as default } from './plugin';
