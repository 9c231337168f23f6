import Anser from 'anser';

/** A run of characters with the same style. */
export interface LogSpan {
  text: string;
  /** The link's target, if the text is a URL. */
  href?: string;
  /** CSS class names, e.g. `ansi-green`, `bold`. */
  classes: string[];
}

/**
 * Maximum length of an incomplete escape code that is buffered; a longer one is shown
 * as text.
 */
const MAX_HELD = 200;

/**
 * Parses lines into styled spans. Escape codes become class names only, so that no markup of a
 * log reaches the page. A colour applies until it is replaced, across lines.
 */
export function readLines(lines: readonly string[]): LogSpan[][] {
  let held = '';
  return lines.map(line => {
    const before = held;
    held = heldAfter(held, line);
    return Anser.ansiToJson(before + overwritten(line), {
      json: true,
      remove_empty: true,
      use_classes: true,
    }).flatMap(entry => linked(visible(entry.content), classesOf(entry)));
  });
}

/** Matches web URLs, without punctuation that ends a sentence. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/g;

/** Splits a text at the URLs in it. */
function linked(text: string, classes: string[]): LogSpan[] {
  const spans: LogSpan[] = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    spans.push({ text: text.slice(end, index), classes });
    spans.push({ text: href, classes, href });
    end = index + href.length;
  }
  spans.push({ text: text.slice(end), classes });
  return spans.filter(span => span.text !== '');
}

/**
 * Returns the escape codes that are still active after a line; a reset clears them all.
 */
function heldAfter(held: string, line: string): string {
  let codes = held;
  // eslint-disable-next-line no-control-regex
  for (const [code, values] of line.matchAll(/\u001b\[([\d;]*)m/g)) {
    codes = /^0*$/.test(values) ? '' : codes + code;
  }
  return codes.slice(-MAX_HELD);
}

function classesOf(entry: Anser.AnserJsonEntry): string[] {
  const { fg, bg, decorations } = entry;
  const others = (decorations ?? []).filter(isName);
  // Backgrounds are shown as a tint: the full colour would make text unreadable in one of
  // the themes.
  if (isName(bg)) {
    return [bg, 'marked', ...others];
  }
  return [...(isName(fg) ? [fg] : []), ...others];
}

/** Class names exist only for the 16 standard colours. */
function isName(name: string | null | undefined): name is string {
  return /^[a-z]+(-[a-z]+)*$/.test(name ?? '');
}

/** Applies carriage returns: of a progress bar only the last state remains. */
function overwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf('\r') + 1);
}

/** Escape codes other than colours: cursor movement, titles and links. */
const CODES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g;
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Removes everything that is not visible. */
function visible(text: string): string {
  return text.replace(CODES, '').replace(CONTROLS, '');
}
