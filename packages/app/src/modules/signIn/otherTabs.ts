/** Key of the stored item that changes when the user signs out. Storage events reach only other tabs. */
const KEY = 'slipway.signedOutAt';

/** Signs the user out in the other tabs of this browser, too. */
export function signOutOtherTabs(): void {
  try {
    window.localStorage.setItem(KEY, String(Date.now()));
  } catch {
    // The storage is full or blocked. The other tabs notice when the portal rejects their session.
  }
}

/**
 * Calls a function when the user signs out in another tab.
 *
 * @returns a function that removes the listener.
 */
export function onSignOutElsewhere(signedOut: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY) {
      signedOut();
    }
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
