import { NAMESPACE } from '../organisation/organisation';
import type { DemoPart } from './DemoPart';

/**
 * The items of inboxes and the notifications that follow from what the other parts load. Removed after
 * these: a part that still reports an item would be announced again.
 */
export const inboxPart: DemoPart = {
  id: 'inbox',
  title: 'Inbox',
  writes: 'notifications about what happens in these components',
  isRemovedLast: true,

  async load({ onProgress }) {
    onProgress(1, 1);
  },

  async remove({ platform, onProgress }) {
    await platform.plugin('inbox', {
      method: 'DELETE',
      path: `/namespaces/${NAMESPACE}`,
    });
    onProgress(1, 1);
  },
};
