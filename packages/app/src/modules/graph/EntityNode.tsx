import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { parseEntityRef } from '@backstage/catalog-model';
import type { EntityNode as Node } from '@backstage/plugin-catalog-graph';
import { useEntityPresentation } from '@backstage/plugin-catalog-react';
import './EntityNode.css';

const PADDING = 10;

/**
 * Renders an entity of a graph. The stock node works only with a mouse, and has no name
 * for screen readers; here Enter works like a click, also combined with Shift.
 */
function EntityNode({ node }: { node: Node }) {
  const { id, entity, focused, onClick } = node;
  const { primaryTitle } = useEntityPresentation(entity, {
    defaultNamespace: 'default',
  });
  const text = useRef<SVGTextElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = text.current?.getBBox?.();
    const width = Math.round(box?.width ?? 0);
    const height = Math.round(box?.height ?? 0);
    setSize(current =>
      current.width === width && current.height === height
        ? current
        : { width, height },
    );
  }, [primaryTitle]);
  const kind = parseEntityRef(id).kind.toLowerCase();
  const onKeyDown = (event: KeyboardEvent<SVGGElement>) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      event.currentTarget.dispatchEvent(
        new MouseEvent('click', { bubbles: true, shiftKey: event.shiftKey }),
      );
    }
  };
  const box = {
    width: size.width + 2 * PADDING,
    height: size.height + 2 * PADDING,
  };
  return (
    <g
      className="slw-EntityNode"
      data-root={focused || undefined}
      {...(onClick && {
        role: 'button',
        tabIndex: 0,
        'aria-label': `${primaryTitle}, ${kind}`,
        'aria-current': focused || undefined,
        onClick,
        onKeyDown,
      })}
    >
      <rect {...box} rx={6} />
      <text
        ref={text}
        x={box.width / 2}
        y={box.height / 2}
        textAnchor="middle"
        dominantBaseline="central"
      >
        {primaryTitle}
      </text>
      <title>{id}</title>
    </g>
  );
}

/** Renders a node, with the signature that Backstage's graph expects. */
export function renderEntityNode(props: { node: Node }) {
  return <EntityNode {...props} />;
}
