import { addons } from 'storybook/preview-api';
import {
  POINT_AT,
  STORY_LEFT,
  TREE_ASKED,
  TREE_CHANGED,
  type TreeNode,
} from './channel.ts';
import { observeTree, pointAt } from './tree/observeTree.ts';

let storyId: string | undefined;
let nodes: TreeNode[] = [];
let stop: (() => void) | undefined;

/**
 * Tells the panel of the accessibility tree of a story that has been rendered; dialogs
 * stand outside the story's element, so the whole document counts.
 */
export function tellTree(id: string): void {
  stop?.();
  pointAt(undefined);
  storyId = id;
  stop = observeTree(document.body, current => {
    nodes = current;
    tell();
  });
}

/** Listens to the panel; once in the life of the preview. */
export function listenToPanel(): void {
  const channel = addons.getChannel();
  channel.on(TREE_ASKED, tell);
  channel.on(POINT_AT, (selector?: string) => pointAt(selector));
}

function tell(): void {
  if (storyId) {
    addons.getChannel().emit(TREE_CHANGED, { storyId, nodes });
  }
}

const DIALOG = '[role="dialog"], [role="alertdialog"]';

let isPressed = false;

/**
 * Lets the focus go from a story to the panel beside it although a dialog is open, which
 * keeps Tab to itself and takes back the focus that it has lost. F6 leads there, as it
 * does between the panes of the site. Once in the life of the preview.
 */
export function letFocusLeave(): void {
  // Before the dialog hears of it.
  const capture = { capture: true };
  window.addEventListener('keydown', leaveByKey, capture);
  window.addEventListener('focusout', confineDialog, capture);
  for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
    window.addEventListener(type, notePress, capture);
  }
}

function notePress({ type }: Event): void {
  isPressed = type === 'pointerdown';
}

function leaveByKey(event: KeyboardEvent): void {
  if (event.key === 'F6') {
    event.preventDefault();
    addons.getChannel().emit(STORY_LEFT);
  }
}

/** Hides from a dialog what goes to nothing of the story: it has no say in what is around. */
function confineDialog(event: FocusEvent): void {
  const isInDialog = (event.target as Element).closest?.(DIALOG);
  if (isInDialog && event.relatedTarget === null && !isPressed) {
    event.stopImmediatePropagation();
  }
}

/** Puts the document into a colour mode, as the portal does. */
export function applyTheme(theme: 'light' | 'dark'): void {
  const { dataset, style } = document.documentElement;
  dataset.themeMode = theme;
  dataset.themeName = 'slipway';
  style.colorScheme = theme;
}
