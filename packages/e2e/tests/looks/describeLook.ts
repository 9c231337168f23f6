/** The look of a page as text. */
export interface Look {
  /** The style of each kind of element, once: fonts, colours, borders, padding. */
  styles: string[];
  /** Each visible element in the order of the page: its text, position and size in pixels. */
  boxes: string[];
}

/** What to describe: styles take most of the time, and are the same in every width. */
export type LookParts = 'all' | 'styles' | 'boxes';

/**
 * Describes what is visible below some elements of a page. Runs in the page, so it uses nothing
 * from outside.
 *
 * Colours have the names of the design tokens. Of equal siblings, such as the rows of a table,
 * the first few are positioned. A style is recorded once for each kind of element.
 *
 * @param options.roots - selector of the elements.
 */
export function describeLook(options: {
  roots: string;
  parts: LookParts;
}): Look {
  const { roots, parts } = options;
  const SIBLINGS = 3;
  /** The same for boxes that only contain others: they may be the sections of a page. */
  const BOXES = 8;
  const BOX = /^div(?:\.bui-Container)?$/;
  const ICON_SIZE = 32;
  const painter = document.createElement('canvas').getContext('2d', {
    willReadFrequently: true,
  })!;

  const toHex = (color: string): string => {
    painter.clearRect(0, 0, 1, 1);
    painter.fillStyle = color;
    painter.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = painter.getImageData(0, 0, 1, 1).data;
    const channels =
      alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
    return `#${channels.map(part => part.toString(16).padStart(2, '0')).join('')}`;
  };
  const hexes = new Map<string, string>();
  const hexOf = (color: string): string => {
    const known = hexes.get(color) ?? toHex(color);
    hexes.set(color, known);
    return known;
  };

  const tokens = new Map<string, string>();
  for (const [name, value] of document.body.computedStyleMap()) {
    if (name.startsWith('--slipway-')) {
      const text = String(value).trim();
      if (CSS.supports('color', text) && !tokens.has(hexOf(text))) {
        tokens.set(hexOf(text), name.slice('--slipway-'.length));
      }
    }
  }
  const nameOf = (color: string): string => {
    const hex = hexOf(color);
    return tokens.get(hex) ?? hex;
  };
  /** Returns the name of a background. Text on the accent colour has the white of surfaces in light mode. */
  const groundOf = (color: string) =>
    nameOf(color).replace(/^on-accent$/, 'surface');
  const isClear = (color: string) => /^#.{6}00$/.test(hexOf(color));

  const digest = (text: string): string => {
    let hash = 5381;
    for (let index = 0; index < text.length; index += 1) {
      hash = (hash * 33 + text.charCodeAt(index)) % 0xffffff;
    }
    return hash.toString(36);
  };

  /** Tag and first class, without the suffix that the build appends to names of CSS modules. */
  const kindOf = (element: Element): string => {
    const tag = element.tagName.toLowerCase();
    const name = (element.getAttribute('class') ?? '')
      .split(/\s+/)
      .map(
        word =>
          /(?:slw-|bui-)[\w-]+|^[A-Z]\w+-module_+[a-zA-Z]+/.exec(word)?.[0],
      )
      .find(Boolean);
    return name ? `${tag}.${name}` : tag;
  };

  const ownText = (element: Element): string =>
    [...element.childNodes]
      .filter(node => node.nodeType === Node.TEXT_NODE)
      .map(node => node.textContent ?? '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim();

  const sides = (style: CSSStyleDeclaration, name: string, suffix = '') => {
    const values = ['top', 'right', 'bottom', 'left'].map(side =>
      style.getPropertyValue(`${name}-${side}${suffix}`).replace(/px$/, ''),
    );
    const [top, right, bottom, left] = values;
    if (new Set(values).size === 1) {
      return top;
    }
    return top === bottom && left === right
      ? `${top} ${right}`
      : `${top} ${right} ${bottom} ${left}`;
  };

  const bordersOf = (style: CSSStyleDeclaration): string[] => {
    if (
      style.borderStyle === 'none' ||
      sides(style, 'border', '-width') === '0'
    ) {
      return [];
    }
    const colors = ['Top', 'Right', 'Bottom', 'Left']
      .filter(
        side =>
          style.getPropertyValue(`border-${side.toLowerCase()}-width`) !==
          '0px',
      )
      .map(side =>
        style.getPropertyValue(`border-${side.toLowerCase()}-color`),
      );
    if (colors.every(isClear)) {
      return [];
    }
    const names = [...new Set(colors.map(nameOf))].join(' ');
    const line = style.borderStyle.split(' ').find(word => word !== 'none');
    return [`border ${sides(style, 'border', '-width')} ${line} ${names}`];
  };

  const fontOf = (style: CSSStyleDeclaration): string[] => {
    const family = style.fontFamily.split(',')[0].replace(/["']/g, '');
    const lines =
      style.textDecorationLine === 'none' ? '' : ` ${style.textDecorationLine}`;
    return [
      `${family} ${style.fontSize} ${style.fontWeight} ${nameOf(style.color)}${lines}`,
    ];
  };

  const boxStyleOf = (style: CSSStyleDeclaration): string[] => [
    ...(isClear(style.backgroundColor)
      ? []
      : [`background ${groundOf(style.backgroundColor)}`]),
    ...bordersOf(style),
    ...(style.boxShadow === 'none' ? [] : ['shadow']),
    ...(style.opacity === '1' ? [] : [`opacity ${style.opacity}`]),
  ];

  const shapeOf = (style: CSSStyleDeclaration): string[] => [
    ...(style.borderRadius === '0px' ? [] : [`radius ${style.borderRadius}`]),
    ...(sides(style, 'padding') === '0'
      ? []
      : [`padding ${sides(style, 'padding')}`]),
  ];

  const pictureOf = (element: Element, size: DOMRect): string[] => {
    if (element.tagName !== 'svg') {
      return [];
    }
    const shapes = [
      ...element.querySelectorAll('path, circle, rect, line, polyline'),
    ];
    if (size.width > ICON_SIZE) {
      const colors = shapes.flatMap(shape => {
        const { fill, stroke } = getComputedStyle(shape);
        return [fill, stroke].filter(color => color !== 'none').map(nameOf);
      });
      return [`drawing ${[...new Set(colors)].sort().join(' ')}`];
    }
    return [
      `icon ${digest(shapes.map(shape => shape.getAttribute('d') ?? shape.tagName).join())} ${nameOf(getComputedStyle(element).color)}`,
    ];
  };

  const styles = new Set<string>();
  const boxes: string[] = [];
  const visit = (element: Element, isPositioned: boolean): void => {
    const style = getComputedStyle(element);
    if (
      // An element without a box counts as invisible, but what is in it has boxes.
      style.display !== 'contents' &&
      !element.checkVisibility({
        visibilityProperty: true,
        opacityProperty: true,
      })
    ) {
      return;
    }
    const size = element.getBoundingClientRect();
    const text = ownText(element);
    const kind = kindOf(element);
    const box = boxStyleOf(style);
    const picture = pictureOf(element, size);
    const isField = /^(?:input|textarea|select|img|canvas)$/.test(
      kind.split('.')[0],
    );
    const isSeen = size.width > 1 && size.height > 1;
    if (isSeen && (text || box.length || picture.length || isField)) {
      if (parts !== 'boxes') {
        styles.add(
          `${kind}: ${[...(text || isField ? fontOf(style) : []), ...box, ...shapeOf(style), ...picture].join('; ')}`,
        );
      }
      if (isPositioned && parts !== 'styles') {
        const cut =
          text &&
          style.overflowX !== 'visible' &&
          element.scrollWidth > element.clientWidth + 1
            ? ' cut'
            : '';
        const label = text ? ` “${text.slice(0, 24)}”` : '';
        boxes.push(
          `${kind}${label}${cut} ${[size.x, size.y].map(Math.round).join(',')} ${[size.width, size.height].map(Math.round).join('x')}`,
        );
      }
    }
    if (element.tagName === 'svg') {
      return;
    }
    let previous = '';
    let equal = 0;
    for (const child of element.children) {
      const childKind = kindOf(child);
      equal = childKind === previous ? equal + 1 : 1;
      previous = childKind;
      const most = BOX.test(childKind) ? BOXES : SIBLINGS;
      visit(child, isPositioned && equal <= most);
    }
  };
  for (const root of document.querySelectorAll(roots)) {
    visit(root, true);
  }
  return { styles: [...styles].sort(), boxes };
}
