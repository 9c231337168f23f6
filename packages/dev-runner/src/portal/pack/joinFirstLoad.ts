import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The built page, and the template from which the backend creates it. */
export const PAGES = ['index.html', 'index.html.tmpl'];
const SCRIPT =
  /<script defer(?:="defer")? src="([^"]*?)(static\/[\w.-]+\.js)"><\/script>/g;
const STYLESHEET =
  /<link href="([^"]*?)(static\/[\w.-]+\.css)" rel="stylesheet">/g;
/** Our own code, which changes more often than the code of dependencies. */
const OWN = /^static\/(?:runtime|main|app)\./;

/** The start of each script in a joined file. */
const START = '(function(){';

/** A part of a joined file, and its source map if it has one. */
interface Part {
  text: string;
  map: string | undefined;
}

/**
 * Joins the files that every page loads first: the scripts of dependencies into one file, our own
 * into another, and the style sheets into one. The bundler writes one file per package; each is a
 * separate request, and together they compress better.
 *
 * @param dist - absolute path of the built app; its pages then refer to the joined files.
 * @returns names of the joined files, relative to `dist`.
 */
export function joinFirstLoad(dist: string): string[] {
  const page = readFileSync(path.join(dist, PAGES[0]), 'utf8');
  const scripts = [...page.matchAll(SCRIPT)].map(match => match[2]);
  const groups = {
    packages: scripts.filter(file => !OWN.test(file)),
    app: scripts.filter(file => OWN.test(file)),
    styles: [...page.matchAll(STYLESHEET)].map(match => match[2]),
  };
  const joined = Object.entries(groups)
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => ({ files, target: join(dist, name, files) }));
  for (const name of PAGES) {
    const file = path.join(dist, name);
    if (existsSync(file)) {
      writeFileSync(file, refer(readFileSync(file, 'utf8'), joined));
    }
  }
  for (const { files } of joined) {
    files
      .flatMap(file => [file, `${file}.map`])
      .forEach(file => rmSync(path.join(dist, file), { force: true }));
  }
  return joined.map(({ target }) => target);
}

function join(dist: string, name: string, files: readonly string[]): string {
  const isScript = files[0].endsWith('.js');
  const parts = files.map(file => readPart(dist, file));
  // Each in its own function, so that strict mode applies only to the scripts that request it.
  const text = parts
    .map(part => (isScript ? `${START}${part.text}\n})();` : part.text))
    .join('\n');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const target = `static/${name}.${digest}${path.extname(files[0])}`;
  if (!isScript) {
    writeFileSync(path.join(dist, target), text);
    return target;
  }
  writeFileSync(
    path.join(dist, target),
    `${text}\n//# sourceMappingURL=${path.basename(target)}.map`,
  );
  writeFileSync(path.join(dist, `${target}.map`), joinMaps(parts));
  return target;
}

/** Creates an index map: the source map of each part with the offset of the part. */
function joinMaps(parts: readonly Part[]): string {
  let line = 0;
  const sections: string[] = [];
  for (const { text, map } of parts) {
    if (map) {
      sections.push(
        `{"offset":{"line":${line},"column":${START.length}},"map":${map}}`,
      );
    }
    // The part, and the line that closes its function.
    line += text.split('\n').length + 1;
  }
  return `{"version":3,"sections":[${sections.join(',')}]}`;
}

function readPart(dist: string, file: string): Part {
  const absolute = path.join(dist, file);
  const map = `${absolute}.map`;
  return {
    text: readFileSync(absolute, 'utf8').replace(
      /\n?(?:\/\/# sourceMappingURL=\S+|\/\*# sourceMappingURL=\S+ \*\/)\s*$/,
      '',
    ),
    map: existsSync(map) ? readFileSync(map, 'utf8') : undefined,
  };
}

/** Returns the page with each joined file in place of the first of its parts. */
function refer(
  page: string,
  joined: readonly { files: readonly string[]; target: string }[],
): string {
  const replace = (tag: string, prefix: string, file: string) => {
    const of = joined.find(({ files }) => files.includes(file));
    if (!of) {
      return tag;
    }
    return file === of.files[0]
      ? tag.replace(prefix + file, () => prefix + of.target)
      : '';
  };
  return page.replace(SCRIPT, replace).replace(STYLESHEET, replace);
}
