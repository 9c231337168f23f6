export { closeUnread } from './closeUnread.ts';
export { inTurns } from './inTurns.ts';
