import { NAMESPACE } from '../organisation/organisation';
import type { DemoPart } from './DemoPart';

/**
 * The items of inboxes and the notifications that result from the data of the other parts. Removed
 * after them, because items that a part still reports would be announced again.
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
