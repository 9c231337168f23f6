import Anser from 'anser';

/** A run of characters with the same style. */
export interface LogSpan {
  text: string;
  /** The link's target, if the text is a URL. */
  href?: string;
  /** CSS class names, e.g. `ansi-green`, `bold`. */
  classes: string[];
  /** Colour beyond the 16 standard ones, as `r, g, b`. */
  colour?: string;
}

type SpanStyle = Pick<LogSpan, 'classes' | 'colour'>;

/**
 * An escape code without a visible effect: Anser applies colours of earlier lines only after a
 * code.
 */
const CARRIED = '\u001b[10m';

/**
 * Parses lines into styled spans. Escape codes become class names and numbers only, so that no
 * markup of a log reaches the page. A colour applies until it is replaced, across lines.
 */
export function readLines(lines: readonly string[]): LogSpan[][] {
  const parser = new Anser();
  return lines.map(line =>
    parser
      .ansiToJson(CARRIED + withSemicolons(overwritten(line)), {
        json: true,
        remove_empty: true,
        use_classes: true,
      })
      .flatMap(entry => linked(visible(entry.content), styleOf(entry))),
  );
}

/** Matches web URLs, without punctuation that ends a sentence. */
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/g;

/** Splits a text at the URLs in it. */
function linked(text: string, style: SpanStyle): LogSpan[] {
  const spans: LogSpan[] = [];
  let end = 0;
  for (const { 0: href, index } of text.matchAll(ADDRESS)) {
    spans.push({ text: text.slice(end, index), ...style });
    spans.push({ text: href, ...style, href });
    end = index + href.length;
  }
  spans.push({ text: text.slice(end), ...style });
  return spans.filter(span => span.text !== '');
}

function styleOf(entry: Anser.AnserJsonEntry): SpanStyle {
  const { fg, bg, decorations } = entry;
  const others = new Set((decorations ?? []).filter(isName));
  // Backgrounds are shown as a tint: the full colour would make text unreadable in one of
  // the themes.
  const isMarked = Boolean(bg);
  const name = isMarked ? bg : fg;
  const colour = exactColour(
    name,
    isMarked ? entry.bg_truecolor : entry.fg_truecolor,
  );
  const own = colour === undefined ? name : 'exact';
  return {
    classes: [
      ...(isName(own) ? [own] : []),
      ...(isMarked ? ['marked'] : []),
      ...others,
    ],
    ...(colour !== undefined && { colour }),
  };
}

function isName(name: string | null | undefined): name is string {
  return /^[a-z]+(-[a-z]+)*$/.test(name ?? '');
}

/** Levels of red, green and blue in the palette of 256 colours. */
const LEVELS = [0, 95, 135, 175, 215, 255];
const FIRST_GREY = 232;

/**
 * Returns a colour that has no class of its own: one of the palette of 256, or any RGB colour.
 *
 * @param exact - `r, g, b`, if the name says that it is an RGB colour.
 */
function exactColour(
  name: string | null | undefined,
  exact: string | null | undefined,
): string | undefined {
  if (name === 'ansi-truecolor') {
    return exact ?? undefined;
  }
  const [, digits] = /^ansi-palette-(\d+)$/.exec(name ?? '') ?? [];
  if (digits === undefined) {
    return undefined;
  }
  const index = Number(digits);
  if (index >= FIRST_GREY) {
    const level = 8 + (index - FIRST_GREY) * 10;
    return [level, level, level].join(', ');
  }
  return [36, 6, 1]
    .map(size => LEVELS[Math.floor((index - 16) / size) % LEVELS.length])
    .join(', ');
}

/** Matches the codes of colours. */
// eslint-disable-next-line no-control-regex
const COLOURS = /\u001b\[([\d;:]*)m/g;

/**
 * Replaces the colons that some programs use to separate numbers with semicolons, which Anser
 * understands.
 */
function withSemicolons(line: string): string {
  return line.replace(COLOURS, code =>
    code
      // Colours of underlines are not shown; an underline without its own colour has that of the
      // text.
      .replace(/(?<=[[;])58(?::[\d:]*|;5;\d+|;2;\d+;\d+;\d+)/g, '59')
      // Nor are shapes of underlines.
      .replace(/(?<=[[;])4:(\d+)/g, (_, shape) => (shape === '0' ? '24' : '4'))
      // The colour space, which is always the same, may be named or omitted.
      .replace(/([34]8:2):\d*:(?=\d+:\d+:\d)/g, '$1:')
      .replaceAll(':', ';'),
  );
}

/** Applies carriage returns: only the last state of a progress bar remains, with its colours. */
function overwritten(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const begin = text.lastIndexOf('\r') + 1;
  const codes = text.slice(0, begin).match(COLOURS) ?? [];
  return codes.join('') + text.slice(begin);
}

/** Escape codes other than colours: cursor movement, titles, links and character sets. */
const CODES =
  // eslint-disable-next-line no-control-regex
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~])/g;
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Removes everything that is not visible. */
function visible(text: string): string {
  return text.replace(CODES, '').replace(CONTROLS, '');
}
